package carillon.benchmark;

import carillon.load.Cleanup;
import carillon.load.MachineInfo;
import carillon.load.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command of the benchmark: {@code mvn -q test-compile exec:java@benchmark}, with options in {@code
 * -Dexec.args}. Progress goes to standard error, the result to standard output.
 */
@Command(
    name = "benchmark",
    description = {
      "Measures a Carillon: jobs accepted per second, a herd of jobs due at one instant, lateness at a steady rate,",
      "memory per job; each beside what a bare program reaches on this machine."
    },
    synopsisHeading = "usage: ",
    customSynopsis = "benchmark [--short] [--compare] [OPTIONS]",
    sortOptions = false,
    exitCodeOnInvalidInput = Benchmark.FAILED,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:measured",
      "1:could not measure",
      "2:a job was called early, twice or not at all, or a counted cost is above its bar"
    })
public final class Benchmark implements Callable<Integer> {
  static final int FAILED = 1;
  private static final int FLAWED = 2;

  @Mixin private BenchmarkOptions options;

  @Option(names = "--help", usageHelp = true, description = "this text")
  @SuppressWarnings("UnusedVariable") // picocli needs a field
  private boolean help;

  public static void main(String[] arguments) {
    if (LoadProcess.isWanted(arguments)) {
      System.exit(LoadProcess.run(arguments));
    }
    System.exit(BenchmarkOptions.commandLine(new Benchmark(), arguments).execute(arguments));
  }

  @Override
  public Integer call() {
    try {
      return measure();
    } catch (RuntimeException | AssertionError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      System.err.println("benchmark: " + cause.getMessage());
      return FAILED;
    }
  }

  private int measure() {
    if (options.comparison != null) {
      return new Comparison(options).run() ? 0 : FLAWED;
    }
    Progress progress = new Progress(System.err);
    progress.phase("starting");
    BenchmarkContext context = BenchmarkContext.start(options, Cleanup.atExit(), progress);
    Map<String, String> facts = new LinkedHashMap<>(MachineInfo.facts());
    context.redis().ifPresent(redis -> facts.putAll(redis.facts()));
    List<ResultRow> rows = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      if (options.only.contains(phase)) {
        progress.phase(phase.toString());
        rows.addAll(phase.run(context));
      }
    }
    Report report =
        new Report(
            facts, options.judged() ? rows : rows.stream().map(ResultRow::unjudged).toList());
    System.out.println(report.text());
    options.json.ifPresent(report::writeJson);
    return verdict(context.target(), report);
  }

  private static int verdict(BatchTarget target, Report report) {
    List<JobBatch> flawed = target.batches().stream().filter(batch -> !batch.isFlawless()).toList();
    flawed.forEach(batch -> System.err.println("benchmark: " + batch));
    List<ResultRow> missed = report.missedEverywhere();
    missed.forEach(row -> System.err.println("benchmark: missed: " + row.cells()));
    return flawed.isEmpty() && missed.isEmpty() ? 0 : FLAWED;
  }
}
