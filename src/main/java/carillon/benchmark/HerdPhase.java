package carillon.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Many jobs due at one instant: how fast they are called. A smaller herd before it warms everything
 * up.
 */
final class HerdPhase implements Phase {
  private static final int WARM_UP_SHARE = 5;
  private static final double COLD_JOBS_PER_SECOND = 500;
  private static final double SHARE_WANTED = 0.15;
  private static final int BARE_WARM_UP = 50_000;

  @Override
  public List<Figure> run(Stage stage) {
    int jobs = stage.options().herd();
    int first = Math.max(1, jobs / WARM_UP_SHARE);
    double submitted = submit(stage, "warmherd", first, COLD_JOBS_PER_SECOND).jobsPerSecond;
    Herd herd = submit(stage, "herd", jobs, submitted / 2);
    List<Figure> figures = new ArrayList<>(figures(herd, bare(stage, jobs)));
    figures.addAll(herd.cpu.per(jobs).figures("herd", Cpu.PerJob.UNKNOWN));
    herd.eventLoops.ifPresent(
        time ->
            figures.add(
                Figure.of("herd: CPU of event loops, us/job", time.toNanos() / 1000.0 / jobs)));
    return figures;
  }

  /**
   * A herd that has been called.
   *
   * @param cpu from its instant on
   * @param eventLoops the part of the scheduler's that is not spent on compiling it
   */
  private record Herd(
      Ledger ledger, double jobsPerSecond, Cpu cpu, Optional<Duration> eventLoops) {}

  /**
   * @param jobsPerSecond expected of the submission, to choose an instant that lies behind it
   */
  private static Herd submit(Stage stage, String name, int jobs, double jobsPerSecond) {
    long begin = Micros.now();
    long due = Stage.ahead(stage.options().lead() + jobs / jobsPerSecond);
    Ledger ledger = stage.target().open(new Ledger(name, jobs, i -> due));
    stage.submit(Pace.count(jobs), ledger);
    long end = Micros.now();
    if (end > due - Micros.PER_SECOND) {
      System.err.println(
          "benchmark: submitting the "
              + name
              + " took so long that it was due before; its figures mean little");
    }
    stage
        .progress()
        .until(() -> Micros.now() >= due - Micros.PER_SECOND / 2, () -> "waiting for the instant");
    Cpu before = stage.cpu();
    Optional<Duration> loopsBefore = stage.scheduler().cpuOfEventLoops();
    stage.awaitCalls(ledger);
    return new Herd(
        ledger,
        jobs * (double) Micros.PER_SECOND / (end - begin),
        stage.cpu().since(before),
        stage.scheduler().cpuOfEventLoops().map(time -> time.minus(loopsBefore.orElseThrow())));
  }

  private static Optional<Double> bare(Stage stage, int jobs) {
    if (!stage.options().ceilings()) {
      return Optional.empty();
    }
    stage.progress().phase("herd, bare client");
    Ledger ledger = stage.target().open(Ledger.undated("bare", jobs));
    String target = stage.target().uri().toString();
    try (ChildProcess caller =
        stage.startCeiling(
            Ceiling.DONE, "caller", target, ledger.name(), "" + jobs, "" + BARE_WARM_UP)) {
      caller.awaitMarker();
    }
    return Optional.of(ledger.callsPerSecond());
  }

  private static List<Figure> figures(Herd herd, Optional<Double> bare) {
    Ledger ledger = herd.ledger;
    Percentiles lateness = ledger.lateness(job -> true);
    return List.of(
        Figure.of("herd: calls/s", ledger.callsPerSecond())
            .besides(bare)
            .aimingAt(new Figure.ShareOfCeiling(SHARE_WANTED)),
        Figure.of("herd: lateness p50, ms", Phase.millis(lateness.at(50))),
        Figure.of("herd: lateness p99, ms", Phase.millis(lateness.at(99))),
        Figure.of("herd: lateness max, ms", Phase.millis(lateness.max())),
        Figure.of("herd: submitted, jobs/s", herd.jobsPerSecond),
        Figure.of("herd: called early, jobs", ledger.early()).aimingAt(Figure.NONE),
        Figure.of("herd: missing, jobs", ledger.missing()).aimingAt(Figure.NONE),
        Figure.of("herd: called twice, jobs", ledger.repeats()).aimingAt(Figure.NONE));
  }
}
