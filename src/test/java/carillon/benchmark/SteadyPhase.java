package carillon.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One-time jobs due at a steady rate, to the millisecond, submitted a few seconds ahead of their
 * instants. While the compilers of a young virtual machine are busy they take most of a small
 * machine; that time is told apart.
 */
final class SteadyPhase implements Phase {
  private static final double LATENESS_LIMIT_MS = 20;
  private static final long AHEAD_ENOUGH = 2 * EpochMicros.PER_SECOND;

  /** Compilers that use less of a processor than this are done with what matters. */
  private static final double QUIET = 0.1;

  private static final int MOST_ROUNDS = 6;

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    Options options = stage.options();
    Ledger cold = jobs(stage, "cold", options.warmup());
    if (options.judged()) {
      warmUp(stage);
    }
    Ledger ledger = jobs(stage, "steady", options.seconds());
    return figures(
        cold,
        ledger,
        "steady " + options.rate() + "/s: ",
        Math.min(AHEAD_ENOUGH, options.lead() * EpochMicros.PER_SECOND / 2));
  }

  /** How long the compilers take depends on the machine: they are watched. */
  private static void warmUp(BenchmarkContext stage) {
    int seconds = Math.max(1, stage.options().warmup() / 2);
    for (int round = 1; round <= MOST_ROUNDS; round++) {
      Optional<Duration> before = stage.scheduler().cpuOfCompilers();
      long begin = EpochMicros.now();
      jobs(stage, "warm-" + round, seconds);
      double took = (EpochMicros.now() - begin) / (double) EpochMicros.PER_SECOND;
      Optional<Duration> after = stage.scheduler().cpuOfCompilers();
      if (after.isEmpty() || secondsOf(after) - secondsOf(before) < QUIET * took) {
        return;
      }
    }
  }

  private static double secondsOf(Optional<Duration> time) {
    return time.map(Duration::toMillis).orElse(0L) / 1000.0;
  }

  private static Ledger jobs(BenchmarkContext stage, String name, int seconds) {
    stage.progress().phase("steady: " + name);
    Options options = stage.options();
    long first = BenchmarkContext.ahead(options.lead() + 1);
    Ledger ledger =
        stage
            .target()
            .open(new Ledger(name, options.rate() * seconds, i -> due(first, i, options.rate())));
    long lead = options.lead() * EpochMicros.PER_SECOND;
    stage.submit(SendRate.timed(ledger.size(), i -> ledger.due(i) - lead), ledger);
    stage.awaitCalls(ledger);
    return ledger;
  }

  private static long due(long first, int index, int rate) {
    return first + index * 1000L / rate * EpochMicros.PER_MILLI;
  }

  /**
   * A job that the load could not submit in time says nothing about the scheduler's lateness, but
   * is counted.
   */
  private static List<ResultRow> figures(Ledger cold, Ledger ledger, String name, long ahead) {
    Percentiles before = cold.lateness(job -> cold.isAccepted(job, ahead));
    Percentiles lateness = ledger.lateness(job -> ledger.isAccepted(job, ahead));
    double tardy =
        IntStream.range(0, ledger.size()).filter(job -> !ledger.isAccepted(job, ahead)).count();
    return List.of(
        ResultRow.of(name + "lateness p50, ms", Phase.millis(lateness.at(50))),
        ResultRow.of(name + "lateness p99, ms", Phase.millis(lateness.at(99)))
            .aimingAt(new ResultRow.Below(LATENESS_LIMIT_MS)),
        ResultRow.of(name + "lateness max, ms", Phase.millis(lateness.max())),
        ResultRow.of(name + "lateness p99 just after the start, ms", Phase.millis(before.at(99))),
        ResultRow.of(name + "jobs left out, submitted too late", tardy),
        ResultRow.of(name + "called early, jobs", ledger.early()).aimingAt(ResultRow.NONE),
        ResultRow.of(name + "missing, jobs", ledger.missing()).aimingAt(ResultRow.NONE),
        ResultRow.of(name + "called twice, jobs", ledger.repeats()).aimingAt(ResultRow.NONE));
  }
}
