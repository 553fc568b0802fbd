package carillon.benchmark;

import carillon.load.Percentiles;
import carillon.load.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Result of one workload of a comparison with one scheduler.
 *
 * @param jobs number of jobs by which the processor time is divided
 * @param perSecond jobs accepted, called or due per second
 * @param micros latency of the answers, or lateness of the calls
 * @param batch jobs that had to be called; empty when they are due far ahead
 */
record ComparedResult(
    Phase workload,
    String scheduler,
    int jobs,
    double perSecond,
    Percentiles micros,
    Optional<JobBatch> batch,
    RunningPeer.Cpu cpu) {
  private static final List<String> HEADINGS =
      List.of(
          "workload",
          "scheduler",
          "jobs/s",
          "p50 ms",
          "p99 ms",
          "missing",
          "twice",
          "early",
          "CPU us/job: scheduler",
          "store",
          "load");

  /** Returns all results as a Markdown table. */
  static List<String> table(List<ComparedResult> results) {
    Table table = new Table(HEADINGS);
    results.forEach(result -> table.add(result.cells()));
    return table.markdown();
  }

  private List<String> cells() {
    List<String> cells = new ArrayList<>(List.of(workload.toString(), scheduler));
    figures().forEach(figure -> cells.add(Table.number(figure.value())));
    if (batch.isEmpty()) {
      cells.addAll(5, List.of("-", "-", "-"));
    }
    return cells;
  }

  /** Returns the same figures individually, each with its name. */
  List<ResultRow> figures() {
    String prefix = scheduler + " " + workload + ": ";
    List<ResultRow> rows = new ArrayList<>();
    rows.add(ResultRow.of(prefix + "jobs/s", perSecond));
    rows.add(ResultRow.percentile(prefix + "time", micros, 50));
    rows.add(ResultRow.percentile(prefix + "time", micros, 99));
    batch.ifPresent(
        called -> {
          rows.addAll(ResultRow.guarantees(prefix, called));
          rows.add(ResultRow.none(prefix + "called early, jobs", early()));
        });
    rows.add(perJob(prefix + "CPU of the scheduler", cpu.scheduler()));
    rows.add(perJob(prefix + "CPU of the store", cpu.store()));
    rows.add(perJob(prefix + "CPU of the load", cpu.load()));
    return rows;
  }

  private ResultRow perJob(String name, Duration time) {
    return ResultRow.of(name + ", us/job", CpuTime.micros(time) / Math.max(1, jobs));
  }

  private int early() {
    return micros.negative();
  }

  /** Whether each job was called exactly once and not early. */
  boolean isFlawless() {
    return batch.map(called -> called.missing() == 0 && called.repeats() == 0).orElse(true)
        && early() == 0;
  }
}
