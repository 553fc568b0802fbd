package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Percentiles;
import carillon.load.SendRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Phase {@code steady}: one-time jobs due at a steady rate, to the millisecond, and submitted a few
 * seconds before they are due. The busy compilers of a new virtual machine take most of a small
 * machine. Lateness in that time is reported separately.
 */
final class SteadyPhase {
  private static final double LATENESS_LIMIT_MS = 20;
  private static final long AHEAD_ENOUGH = 2 * EpochMicros.PER_SECOND;

  /** Share of a processor below which the compilers have finished the important code. */
  private static final double QUIET = 0.1;

  private static final int MAX_ROUNDS = 6;

  private SteadyPhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    BenchmarkOptions options = context.options();
    JobBatch cold = jobs(context, "cold", options.warmup);
    if (options.judged()) {
      warmUp(context);
    }
    JobBatch batch = jobs(context, "steady", options.seconds);
    return rows(
        cold,
        batch,
        "steady " + options.rate + "/s: ",
        Math.min(AHEAD_ENOUGH, options.lead() * EpochMicros.PER_SECOND / 2));
  }

  /**
   * Runs jobs until the compilers are quiet. Watches them, because their time depends on the
   * machine.
   */
  private static void warmUp(BenchmarkContext context) {
    int seconds = Math.max(1, context.options().warmup / 2);
    for (int round = 1; round <= MAX_ROUNDS; round++) {
      Optional<Duration> before = cpuOfCompilers(context);
      long begin = EpochMicros.now();
      jobs(context, "warm-" + round, seconds);
      double took = (EpochMicros.now() - begin) / (double) EpochMicros.PER_SECOND;
      Optional<Duration> after = cpuOfCompilers(context);
      if (after.isEmpty() || secondsOf(after) - secondsOf(before) < QUIET * took) {
        return;
      }
    }
  }

  private static Optional<Duration> cpuOfCompilers(BenchmarkContext context) {
    return context.scheduler().process().map(ChildProcess::cpuOfCompilers);
  }

  private static double secondsOf(Optional<Duration> time) {
    return time.map(Duration::toMillis).orElse(0L) / 1000.0;
  }

  private static JobBatch jobs(BenchmarkContext context, String name, int seconds) {
    context.progress().phase("steady: " + name);
    BenchmarkOptions options = context.options();
    long first = BenchmarkContext.ahead(options.lead() + 1);
    JobBatch batch =
        context
            .target()
            .open(new JobBatch(name, options.rate * seconds, i -> due(first, i, options.rate)));
    long lead = options.lead() * EpochMicros.PER_SECOND;
    context.submit(SendRate.timed(batch.size(), i -> batch.due(i) - lead), batch);
    context.awaitCalls(batch);
    return batch;
  }

  private static long due(long first, int index, int rate) {
    return first + index * 1000L / rate * EpochMicros.PER_MILLI;
  }

  /**
   * Returns the rows of the result. Lateness excludes jobs that the load could not submit in time.
   * These jobs are counted in a separate row.
   */
  private static List<ResultRow> rows(JobBatch cold, JobBatch batch, String name, long ahead) {
    Percentiles before = cold.lateness(job -> cold.isAccepted(job, ahead));
    Percentiles lateness = batch.lateness(job -> batch.isAccepted(job, ahead));
    double tardy =
        IntStream.range(0, batch.size()).filter(job -> !batch.isAccepted(job, ahead)).count();
    List<ResultRow> rows = new ArrayList<>();
    rows.add(ResultRow.percentile(name + "lateness", lateness, 50));
    rows.add(
        ResultRow.percentile(name + "lateness", lateness, 99)
            .aimingAt(ResultRow.Goal.below(LATENESS_LIMIT_MS)));
    rows.add(ResultRow.percentile(name + "lateness", lateness, 100));
    rows.add(
        ResultRow.of(
            name + "lateness p99 just after the start, ms", EpochMicros.toMillis(before.at(99))));
    rows.add(ResultRow.of(name + "jobs left out, submitted too late", tardy));
    rows.add(ResultRow.none(name + "called early, jobs", batch.early()));
    rows.addAll(ResultRow.guarantees(name, batch));
    return rows;
  }
}
