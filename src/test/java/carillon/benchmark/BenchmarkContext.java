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
 * What the phases work with: the scheduler, the load on it, the target it calls. Used by the main
 * thread.
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
   * Starts what is needed.
   *
   * @param cleanup ends all of it
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

  /** An instant at which no job of a benchmark is waited for. */
  static Instant farAhead() {
    return Instant.now().plus(FAR_AHEAD);
  }

  /** An instant so many seconds ahead, on a full millisecond, of {@link EpochMicros}. */
  static long ahead(double seconds) {
    return (EpochMicros.now() + (long) (seconds * EpochMicros.PER_SECOND))
        / EpochMicros.PER_MILLI
        * EpochMicros.PER_MILLI;
  }

  /** Submits jobs, in the order of their instants, at this rate. */
  void submit(SendRate rate, JobBatch batch) {
    submit(
        rate,
        batch,
        i -> requests.putJob(batch.id(i), Optional.of(EpochMicros.toInstant(batch.due(i)))));
  }

  /** The same with other requests. */
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

  /** Submits jobs that are due far ahead, and are not called. */
  void store(String name, int jobs) {
    long due = EpochMicros.of(farAhead());
    submit(SendRate.count(jobs), new JobBatch(name, jobs, i -> due));
  }

  /** Waits until jobs that are due at one instant are about to be called. */
  void awaitInstant(JobBatch batch) {
    progress.until(batch.due(0) - EpochMicros.PER_SECOND / 2);
  }

  /**
   * Waits until all have called, or nothing has come for long; and a little more for calls that
   * come twice.
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

  /** Where a bare server that was started listens. */
  static URI address(ChildProcess server) {
    return URI.create(server.awaitMarker());
  }

  /** A reading of the processor time used by the scheduler and by Redis. */
  CpuTime cpu() {
    return new CpuTime(
        scheduler.process().map(ChildProcess::cpu),
        scheduler.process().map(ChildProcess::cpuOfEventLoops),
        redis.map(RedisProbe::cpu));
  }
}
