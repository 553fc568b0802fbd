package carillon.cli.local;

import carillon.benchmark.Benchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** Measures a node on this machine. What it takes and returns is for {@link Benchmark} to say. */
@Command(
    name = "benchmark",
    customSynopsis = "carillon benchmark [--short] [OPTIONS]",
    footer = {"", "Example: carillon benchmark --only=accept,herd --json=figures.json"})
public final class BenchmarkCommand implements Callable<Integer> {
  @Parameters(arity = "0..*", hidden = true)
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    return Benchmark.run(arguments);
  }

  /** Its usage is written where its options are read. */
  public static void describe(CommandSpec spec) {
    spec.parser().unmatchedOptionsArePositionalParams(true);
    String text = "Measures a node on this machine.\n" + Benchmark.usage().replace("%", "%%");
    spec.usageMessage().description(text.split("\n"));
  }
}
