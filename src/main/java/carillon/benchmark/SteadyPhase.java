package carillon.benchmark;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One-time jobs due at a steady rate, to the millisecond, submitted a few seconds ahead of their
 * instants. While the compilers of the virtual machines are busy they take most of a small machine;
 * that time is told apart.
 */
final class SteadyPhase implements Phase {
  private static final double LATENESS_LIMIT_MS = 20;
  private static final long AHEAD_ENOUGH = 2 * Micros.PER_SECOND;

  @Override
  public List<Figure> run(Stage stage) {
    Options options = stage.options();
    int warmUp = options.rate() * options.warmup();
    int jobs = warmUp + options.rate() * options.seconds();
    long first = Stage.ahead(options.lead() + 1);
    Ledger ledger =
        stage.target().open(new Ledger("steady", jobs, i -> due(first, i, options.rate())));
    stage.submit(Pace.timed(jobs, i -> ledger.due(i) - options.lead() * Micros.PER_SECOND), ledger);
    stage.awaitCalls(ledger);
    return figures(
        ledger,
        warmUp,
        "steady " + options.rate() + "/s: ",
        Math.min(AHEAD_ENOUGH, options.lead() * Micros.PER_SECOND / 2));
  }

  private static long due(long first, int index, int rate) {
    return first + index * 1000L / rate * Micros.PER_MILLI;
  }

  /**
   * A job that the load could not submit in time says nothing about the scheduler's lateness, but
   * is counted.
   */
  private static List<Figure> figures(Ledger ledger, int warmUp, String name, long ahead) {
    Percentiles cold = ledger.lateness(job -> job < warmUp && ledger.isAccepted(job, ahead));
    Percentiles lateness = ledger.lateness(job -> job >= warmUp && ledger.isAccepted(job, ahead));
    double tardy =
        IntStream.range(warmUp, ledger.size())
            .filter(job -> !ledger.isAccepted(job, ahead))
            .count();
    return List.of(
        Figure.of(name + "lateness p50, ms", Phase.millis(lateness.at(50))),
        Figure.of(name + "lateness p99, ms", Phase.millis(lateness.at(99)))
            .aimingAt(new Figure.Below(LATENESS_LIMIT_MS)),
        Figure.of(name + "lateness max, ms", Phase.millis(lateness.max())),
        Figure.of(name + "lateness p99 before, while warming up, ms", Phase.millis(cold.at(99))),
        Figure.of(name + "jobs left out, submitted too late", tardy),
        Figure.of(name + "called early, jobs", ledger.early()).aimingAt(Figure.NONE),
        Figure.of(name + "missing, jobs", ledger.missing()).aimingAt(Figure.NONE),
        Figure.of(name + "called twice, jobs", ledger.repeats()).aimingAt(Figure.NONE));
  }
}
