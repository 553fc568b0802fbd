package carillon.benchmark;

import carillon.load.EpochMicros;
import carillon.load.Percentiles;
import carillon.load.SendRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Phase {@code herd}: measures the rate of calls for many jobs due at one instant. A smaller herd
 * runs first as a warm-up.
 */
final class BurstPhase {
  private static final int WARM_UP_SHARE = 5;
  private static final double COLD_JOBS_PER_SECOND = 500;
  private static final double SHARE_WANTED = 0.15;
  private static final int BARE_WARM_UP = 50_000;

  private BurstPhase() {}

  static List<ResultRow> run(BenchmarkContext context) {
    int jobs = context.options().herd;
    int first = Math.max(1, jobs / WARM_UP_SHARE);
    double submitted = submit(context, "warmherd", first, COLD_JOBS_PER_SECOND).jobsPerSecond;
    Herd herd = submit(context, "herd", jobs, submitted / 2);
    List<ResultRow> rows = rows(herd, bare(context, jobs));
    CpuTime cpu = herd.cpu.per(jobs);
    rows.addAll(cpu.rows("herd", CpuTime.UNKNOWN));
    cpu.eventLoops()
        .map(time -> ResultRow.of("herd: CPU of event loops, us/job", CpuTime.micros(time)))
        .ifPresent(rows::add);
    return rows;
  }

  /**
   * Result of a herd after its calls.
   *
   * @param cpu processor time from shortly before the due instant until the last call
   */
  private record Herd(JobBatch batch, double jobsPerSecond, CpuTime cpu) {}

  /**
   * @param jobsPerSecond expected rate of the submission, to choose a due instant after its end
   */
  private static Herd submit(
      BenchmarkContext context, String name, int jobs, double jobsPerSecond) {
    long begin = EpochMicros.now();
    long due = BenchmarkContext.ahead(context.options().lead() + jobs / jobsPerSecond);
    JobBatch batch = context.target().open(new JobBatch(name, jobs, i -> due));
    context.submit(SendRate.count(jobs), batch);
    long end = EpochMicros.now();
    if (end > due - EpochMicros.PER_SECOND) {
      System.err.println(
          "benchmark: submitting the "
              + name
              + " took so long that it was due before; its figures mean little");
    }
    context.awaitInstant(batch);
    CpuTime before = context.cpu();
    context.awaitCalls(batch);
    return new Herd(
        batch, jobs * (double) EpochMicros.PER_SECOND / (end - begin), context.cpu().since(before));
  }

  private static Optional<Double> bare(BenchmarkContext context, int jobs) {
    if (!context.options().ceilings()) {
      return Optional.empty();
    }
    context.progress().phase("herd, bare client");
    JobBatch batch = context.target().open(JobBatch.undated("bare", jobs));
    String target = context.target().uri().toString();
    try (ChildProcess caller =
        BenchmarkContext.startBaseline(
            BaselineMain.DONE, "caller", target, batch.name(), "" + jobs, "" + BARE_WARM_UP)) {
      caller.awaitMarker();
    }
    return Optional.of(batch.callsPerSecond());
  }

  private static List<ResultRow> rows(Herd herd, Optional<Double> bare) {
    JobBatch batch = herd.batch;
    Percentiles lateness = batch.lateness(job -> true);
    List<ResultRow> rows = new ArrayList<>();
    rows.add(
        ResultRow.of("herd: calls/s", batch.callsPerSecond())
            .besides(bare)
            .aimingAt(ResultRow.Goal.share(SHARE_WANTED)));
    rows.add(ResultRow.percentile("herd: lateness", lateness, 50));
    rows.add(ResultRow.percentile("herd: lateness", lateness, 99));
    rows.add(ResultRow.percentile("herd: lateness", lateness, 100));
    rows.add(ResultRow.of("herd: submitted, jobs/s", herd.jobsPerSecond));
    rows.add(ResultRow.none("herd: called early, jobs", batch.early()));
    rows.addAll(ResultRow.guarantees("herd: ", batch));
    return rows;
  }
}
