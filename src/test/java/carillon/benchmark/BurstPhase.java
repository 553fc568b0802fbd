package carillon.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Many jobs due at one instant: how fast they are called. A smaller herd before it warms everything
 * up.
 */
final class BurstPhase implements Phase {
  private static final int WARM_UP_SHARE = 5;
  private static final double COLD_JOBS_PER_SECOND = 500;
  private static final double SHARE_WANTED = 0.15;
  private static final int BARE_WARM_UP = 50_000;

  @Override
  public List<ResultRow> run(BenchmarkContext stage) {
    int jobs = stage.options().herd();
    int first = Math.max(1, jobs / WARM_UP_SHARE);
    double submitted = submit(stage, "warmherd", first, COLD_JOBS_PER_SECOND).jobsPerSecond;
    Herd herd = submit(stage, "herd", jobs, submitted / 2);
    List<ResultRow> figures = new ArrayList<>(figures(herd, bare(stage, jobs)));
    figures.addAll(herd.cpu.per(jobs).figures("herd", CpuTime.PerJob.UNKNOWN));
    herd.eventLoops.ifPresent(
        time ->
            figures.add(
                ResultRow.of("herd: CPU of event loops, us/job", time.toNanos() / 1000.0 / jobs)));
    return figures;
  }

  /**
   * A herd that has been called.
   *
   * @param cpu from its instant on
   * @param eventLoops the part of the scheduler's that is not spent on compiling it
   */
  private record Herd(
      Ledger ledger, double jobsPerSecond, CpuTime cpu, Optional<Duration> eventLoops) {}

  /**
   * @param jobsPerSecond expected of the submission, to choose an instant that lies behind it
   */
  private static Herd submit(BenchmarkContext stage, String name, int jobs, double jobsPerSecond) {
    long begin = EpochMicros.now();
    long due = BenchmarkContext.ahead(stage.options().lead() + jobs / jobsPerSecond);
    Ledger ledger = stage.target().open(new Ledger(name, jobs, i -> due));
    stage.submit(SendRate.count(jobs), ledger);
    long end = EpochMicros.now();
    if (end > due - EpochMicros.PER_SECOND) {
      System.err.println(
          "benchmark: submitting the "
              + name
              + " took so long that it was due before; its figures mean little");
    }
    stage
        .progress()
        .until(
            () -> EpochMicros.now() >= due - EpochMicros.PER_SECOND / 2,
            () -> "waiting for the instant");
    CpuTime before = stage.cpu();
    Optional<Duration> loopsBefore = stage.scheduler().cpuOfEventLoops();
    stage.awaitCalls(ledger);
    return new Herd(
        ledger,
        jobs * (double) EpochMicros.PER_SECOND / (end - begin),
        stage.cpu().since(before),
        stage.scheduler().cpuOfEventLoops().map(time -> time.minus(loopsBefore.orElseThrow())));
  }

  private static Optional<Double> bare(BenchmarkContext stage, int jobs) {
    if (!stage.options().ceilings()) {
      return Optional.empty();
    }
    stage.progress().phase("herd, bare client");
    Ledger ledger = stage.target().open(Ledger.undated("bare", jobs));
    String target = stage.target().uri().toString();
    try (ChildProcess caller =
        stage.startCeiling(
            BaselineMain.DONE, "caller", target, ledger.name(), "" + jobs, "" + BARE_WARM_UP)) {
      caller.awaitMarker();
    }
    return Optional.of(ledger.callsPerSecond());
  }

  private static List<ResultRow> figures(Herd herd, Optional<Double> bare) {
    Ledger ledger = herd.ledger;
    Percentiles lateness = ledger.lateness(job -> true);
    return List.of(
        ResultRow.of("herd: calls/s", ledger.callsPerSecond())
            .besides(bare)
            .aimingAt(new ResultRow.ShareOfCeiling(SHARE_WANTED)),
        ResultRow.of("herd: lateness p50, ms", Phase.millis(lateness.at(50))),
        ResultRow.of("herd: lateness p99, ms", Phase.millis(lateness.at(99))),
        ResultRow.of("herd: lateness max, ms", Phase.millis(lateness.max())),
        ResultRow.of("herd: submitted, jobs/s", herd.jobsPerSecond),
        ResultRow.of("herd: called early, jobs", ledger.early()).aimingAt(ResultRow.NONE),
        ResultRow.of("herd: missing, jobs", ledger.missing()).aimingAt(ResultRow.NONE),
        ResultRow.of("herd: called twice, jobs", ledger.repeats()).aimingAt(ResultRow.NONE));
  }
}
