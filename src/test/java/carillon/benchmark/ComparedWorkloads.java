package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Load;
import carillon.load.Percentiles;
import carillon.load.Progress;
import carillon.load.SendRate;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;

/**
 * Workloads of a comparison on one scheduler. Load, target and clock are the same for all
 * schedulers. For the main thread.
 */
final class ComparedWorkloads {
  private static final long DAY = Duration.ofDays(1).toMillis() * EpochMicros.PER_MILLI;
  private static final int MAX_WARM_UP_JOBS = 1_000_000;
  private static final long WARM_UP_LEAD = EpochMicros.PER_SECOND / 5;
  private static final long STEADY_LEAD = 2 * EpochMicros.PER_SECOND;

  /** Expected rate of a scheduler that has not accepted any job yet. */
  private static final double COLD_JOBS_PER_SECOND = 500;

  private static final int ATTEMPTS = 3;

  /** Time to wait for another call after the last one. */
  private static final long PATIENCE = 15 * EpochMicros.PER_SECOND;

  private static final Duration SETTLE = Duration.ofSeconds(1);

  private final BenchmarkOptions options;
  private final BatchTarget target;
  private final Progress progress;
  private final RunningPeer scheduler;
  private final Load load;

  ComparedWorkloads(
      Vertx vertx,
      BenchmarkOptions options,
      BatchTarget target,
      Progress progress,
      RunningPeer scheduler) {
    this.options = options;
    this.target = target;
    this.progress = progress;
    this.scheduler = scheduler;
    this.load = new Load(vertx, scheduler.url(), options.connections);
  }

  /**
   * Warms the scheduler up, except with {@code --cold}, and measures.
   *
   * @throws IllegalStateException when the scheduler refuses a job, or takes too long
   */
  ComparedResult run(Phase workload) {
    double accepted =
        options.comparison.cold ? COLD_JOBS_PER_SECOND : Math.max(1, warmUp(workload) / 2);
    progress.phase(name(workload));
    return switch (workload) {
      case ACCEPT -> accept();
      case HERD -> herd(accepted);
      case STEADY -> steady();
      case NOW -> now();
      default -> throw new IllegalArgumentException(workload + " is no workload of a comparison");
    };
  }

  private String name(Phase workload) {
    return scheduler.peer().name() + "-" + workload;
  }

  /**
   * Submits jobs that are called soon, as fast as they are accepted. Returns the number accepted
   * per second.
   */
  private double warmUp(Phase workload) {
    progress.phase(name(workload) + ", warm-up");
    JobBatch batch = target.open(JobBatch.undated(name(workload) + "-warm", MAX_WARM_UP_JOBS));
    AtomicInteger accepted = new AtomicInteger();
    SendRate time = SendRate.until(EpochMicros.now() + options.warmup * EpochMicros.PER_SECOND);
    submit(
        batch,
        () -> {
          int index = time.next();
          return index < MAX_WARM_UP_JOBS ? index : SendRate.END;
        },
        i -> EpochMicros.now() + WARM_UP_LEAD,
        (index, sent, answered) -> accepted.incrementAndGet());
    awaitCalls(batch, accepted.get());
    if (batch.called() < accepted.get()) {
      System.err.println("benchmark: " + (accepted.get() - batch.called()) + " calls are missing");
    }
    return accepted.get() / (double) options.warmup;
  }

  private ComparedResult accept() {
    Percentiles.Samples latency = new Percentiles.Samples();
    JobBatch none = JobBatch.undated(name(Phase.ACCEPT), 0);
    RunningPeer.Cpu before = scheduler.cpu();
    long begin = EpochMicros.now();
    submit(
        none,
        SendRate.until(begin + options.acceptSeconds * EpochMicros.PER_SECOND),
        i -> begin + DAY + ThreadLocalRandom.current().nextLong(DAY),
        (index, sent, answered) -> latency.add(answered - sent));
    double seconds = (EpochMicros.now() - begin) / (double) EpochMicros.PER_SECOND;
    RunningPeer.Cpu used = scheduler.cpu().since(before);
    return new ComparedResult(
        Phase.ACCEPT,
        scheduler.peer().name(),
        latency.size(),
        latency.size() / seconds,
        latency.percentiles(),
        Optional.empty(),
        used);
  }

  /**
   * Measures a herd. When it was submitted too late, waits for its calls and submits a new herd
   * with more time.
   */
  private ComparedResult herd(double jobsPerSecond) {
    double lead = options.lead() + options.herd / jobsPerSecond;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      long due = BenchmarkContext.ahead(lead);
      JobBatch batch =
          target.open(new JobBatch(name(Phase.HERD) + attempt, options.herd, i -> due));
      submit(batch, SendRate.count(batch.size()), batch::due, (index, sent, answered) -> {});
      if (EpochMicros.now() < due - EpochMicros.PER_SECOND / 5) {
        return called(Phase.HERD, batch, due);
      }
      awaitCalls(batch, batch.size());
      lead *= 2;
    }
    throw new IllegalStateException("the herd could not be submitted before it was due");
  }

  private ComparedResult called(Phase workload, JobBatch batch, long due) {
    progress.until(due);
    RunningPeer.Cpu before = scheduler.cpu();
    awaitCalls(batch, batch.size());
    RunningPeer.Cpu used = scheduler.cpu().since(before);
    progress.pass(SETTLE);
    double seconds = Math.max(1, batch.lastArrival() - due) / (double) EpochMicros.PER_SECOND;
    return result(workload, batch, batch.called() / seconds, batch.lateness(job -> true), used);
  }

  private ComparedResult steady() {
    long first = BenchmarkContext.ahead(STEADY_LEAD / (double) EpochMicros.PER_SECOND + 1);
    int jobs = options.rate * options.seconds;
    JobBatch batch =
        target.open(
            new JobBatch(
                name(Phase.STEADY),
                jobs,
                i -> first + i * 1000L / options.rate * EpochMicros.PER_MILLI));
    RunningPeer.Cpu before = scheduler.cpu();
    submit(
        batch,
        SendRate.timed(jobs, i -> batch.due(i) - STEADY_LEAD),
        batch::due,
        (index, sent, answered) -> {});
    awaitCalls(batch, jobs);
    RunningPeer.Cpu used = scheduler.cpu().since(before);
    progress.pass(SETTLE);
    return result(Phase.STEADY, batch, options.rate, batch.lateness(job -> true), used);
  }

  private ComparedResult now() {
    int jobs = options.nowRate * options.nowSeconds;
    JobBatch batch = target.open(JobBatch.undated(name(Phase.NOW), jobs));
    long[] sent = new long[jobs];
    RunningPeer.Cpu before = scheduler.cpu();
    long begin = EpochMicros.now();
    submit(
        batch,
        SendRate.timed(jobs, i -> begin + i * EpochMicros.PER_SECOND / options.nowRate),
        i -> EpochMicros.now(),
        (index, sentAt, answered) -> sent[index] = sentAt);
    awaitCalls(batch, jobs);
    RunningPeer.Cpu used = scheduler.cpu().since(before);
    progress.pass(SETTLE);
    return result(Phase.NOW, batch, options.nowRate, ImmediatePhase.delays(batch, sent, 0), used);
  }

  private ComparedResult result(
      Phase workload, JobBatch batch, double perSecond, Percentiles micros, RunningPeer.Cpu used) {
    return new ComparedResult(
        workload,
        scheduler.peer().name(),
        batch.size(),
        perSecond,
        micros,
        Optional.of(batch),
        used);
  }

  /** Sends the jobs of a batch and waits for the answers. */
  private void submit(JobBatch batch, SendRate rate, IntToLongFunction due, Load.Observer told) {
    Load.Work work =
        new Load.Work(
            rate,
            i -> scheduler.request(batch.id(i), i, due.applyAsLong(i), target.uri(batch.name(), i)),
            told);
    progress.await(load.run(work), () -> "submitting, " + batch.called() + " called");
  }

  /** Waits until this many jobs have called. Gives up 15 seconds after the last call. */
  private void awaitCalls(JobBatch batch, int jobs) {
    long begin = EpochMicros.now();
    progress.until(
        () ->
            batch.called() >= jobs
                || EpochMicros.now() > Math.max(begin, batch.lastArrival()) + PATIENCE,
        () -> batch.called() + " of " + jobs + " called");
  }
}
