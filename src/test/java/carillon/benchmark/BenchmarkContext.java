package carillon.benchmark;

import carillon.load.Cleanup;
import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.Progress;
import carillon.load.SendRate;
import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Shared state of the phases: the scheduler, the load on it, and the target that it calls. Used by
 * the main thread.
 */
record BenchmarkContext(
    Vertx vertx,
    BenchmarkOptions options,
    Scheduler scheduler,
    Optional<RedisProbe> redis,
    Optional<AllocationProbe> allocation,
    BatchTarget target,
    JobRequests requests,
    Load load,
    Progress progress) {
  private static final long PATIENCE = 15 * EpochMicros.PER_SECOND;
  private static final Duration SETTLE = Duration.ofMillis(500);
  private static final Duration FAR_AHEAD = Duration.ofDays(365);

  /**
   * Starts everything that the phases need.
   *
   * @param cleanup ends everything that was started
   */
  static BenchmarkContext start(BenchmarkOptions options, Cleanup cleanup, Progress progress) {
    Vertx vertx = Vertx.vertx();
    cleanup.add(() -> Await.result(vertx.close()));
    Scheduler scheduler = Scheduler.from(options, cleanup);
    Optional<RedisProbe> redis =
        scheduler.redis().map(uri -> Await.result(RedisProbe.connect(vertx, uri)));
    redis.ifPresent(probe -> cleanup.add(() -> Await.result(probe.close())));
    if (scheduler.leavesNothing()) {
      redis.ifPresent(RedisProbe::stopRewrites);
    }
    Optional<AllocationProbe> allocation =
        scheduler
            .process()
            .filter(process -> options.only.contains(Phase.COST))
            .map(process -> AllocationProbe.attach(process.pid()));
    allocation.ifPresent(cleanup::add);
    BatchTarget target = Await.result(BatchTarget.listen(vertx));
    Load load = new Load(vertx, scheduler.url(), options.connections);
    String collection = "benchmark-" + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    JobRequests requests = new JobRequests(scheduler.authority(), collection, target.uri());
    Await.result(load.once(requests.putCollection()));
    if (!scheduler.leavesNothing()) {
      cleanup.add(() -> Await.result(load.once(requests.deleteCollection())));
    }
    return new BenchmarkContext(
        vertx, options, scheduler, redis, allocation, target, requests, load, progress);
  }

  /** Returns an instant so far ahead that the benchmark never waits for jobs due then. */
  static Instant farAhead() {
    return Instant.now().plus(FAR_AHEAD);
  }

  /** Returns the instant this many seconds ahead, on a full millisecond, in {@link EpochMicros}. */
  static long ahead(double seconds) {
    return (EpochMicros.now() + (long) (seconds * EpochMicros.PER_SECOND))
        / EpochMicros.PER_MILLI
        * EpochMicros.PER_MILLI;
  }

  /** Submits the jobs in the order of their due instants at this rate. */
  void submit(SendRate rate, JobBatch batch) {
    submit(
        rate,
        batch,
        i -> requests.putJob(batch.id(i), Optional.of(EpochMicros.toInstant(batch.due(i)))));
  }

  /** Submits the jobs at this rate with other requests. */
  void submit(SendRate rate, JobBatch batch, IntFunction<Buffer> put) {
    AtomicInteger accepted = new AtomicInteger();
    Load.Work work =
        new Load.Work(
            rate,
            put,
            (index, sent, answered) -> {
              accepted.incrementAndGet();
              batch.accepted(index, answered);
            });
    progress.await(
        load.run(work),
        () -> accepted + " of " + batch.size() + " submitted, " + batch.called() + " called");
  }

  /** Submits jobs that are due far ahead, so that they are not called. */
  void store(String name, int jobs) {
    long due = EpochMicros.of(farAhead());
    submit(SendRate.count(jobs), new JobBatch(name, jobs, i -> due));
  }

  /**
   * Waits until half a second before the jobs of the batch are called. All are due at one instant.
   */
  void awaitInstant(JobBatch batch) {
    progress.until(batch.due(0) - EpochMicros.PER_SECOND / 2);
  }

  /**
   * Waits until all jobs have called. Gives up 15 seconds after the last due instant or the last
   * call, whichever is later. Then waits briefly for repeated calls.
   */
  void awaitCalls(JobBatch batch) {
    long lastDue = Math.max(EpochMicros.now(), batch.due(batch.size() - 1));
    progress.until(
        () ->
            batch.missing() == 0
                || EpochMicros.now() > Math.max(lastDue, batch.lastArrival()) + PATIENCE,
        () -> batch.called() + " of " + batch.size() + " called");
    progress.pass(SETTLE);
  }

  /** Starts a {@linkplain BaselineMain bare program}. */
  static ChildProcess startBaseline(String marker, String... arguments) {
    return ChildProcess.start(
        ChildProcess.classPath(),
        BaselineMain.class.getName(),
        marker,
        Map.of(),
        List.of(arguments));
  }

  /** Waits until a bare server listens and returns its address. */
  static URI address(ChildProcess server) {
    return URI.create(server.awaitMarker());
  }

  /** Reads the processor time used by the scheduler and by Redis. */
  CpuTime cpu() {
    return new CpuTime(
        scheduler.process().map(ChildProcess::cpu),
        scheduler.process().map(ChildProcess::cpuOfEventLoops),
        redis.map(RedisProbe::cpu));
  }
}
