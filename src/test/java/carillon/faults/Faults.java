package carillon.faults;

import carillon.load.Cleanup;
import carillon.load.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line of the suite. It writes the progress to standard error and the table to standard
 * output.
 */
@Command(
    name = "faults",
    description = {
      "Breaks a running Carillon - three nodes, Redis, a target, a client, all of them processes on this machine - and",
      "judges it by what the target and the client saw. Needs target/carillon.jar (mvn package)."
    },
    synopsisHeading = "usage: ",
    customSynopsis = "faults [OPTIONS]",
    sortOptions = false,
    footer = {
      "Without an option: every scenario, some 20 minutes. The table is also written to target/faults.md. What needs a",
      "program that the machine lacks is skipped, with a word."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all bars are held",
      "1:one is missed, or a planted bug was not found",
      "2:wrong usage"
    })
public final class Faults implements Callable<Integer> {
  private static final String JAR = "carillon.jar";
  private static final Path TABLE = Path.of("target", "faults.md");

  @Mixin private FaultsOptions options;
  @Spec private CommandSpec spec;

  @Option(names = "--help", usageHelp = true, description = "this text")
  @SuppressWarnings("UnusedVariable") // picocli asks for a place
  private boolean help;

  public static void main(String[] arguments) {
    System.exit(Program.commandLine(new Faults()).execute(arguments));
  }

  @Override
  public Integer call() {
    if (options.list()) {
      Catalogue.everything()
          .forEach(each -> System.out.printf("%-24s %s%n", each.name(), each.what()));
      return 0;
    }
    if (System.getProperty(JAR) == null) {
      System.setProperty(JAR, Path.of("target", JAR).toAbsolutePath().toString());
    }
    if (!Files.isRegularFile(Path.of(System.getProperty(JAR)))) {
      throw wrong(System.getProperty(JAR) + " is missing: mvn package -DskipTests");
    }
    try {
      return judge(Catalogue.chosen(options));
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private int judge(List<Scenario> scenarios) {
    List<Outcome> outcomes = new ArrayList<>();
    Path dir = Cleanup.directory("carillon-faults-");
    for (Scenario scenario : scenarios) {
      System.err.printf("faults: %s: %s%n", scenario.name(), scenario.what());
      Outcome outcome = new Trial(scenario, dir.resolve(scenario.name())).run();
      outcomes.add(outcome);
      write(Outcome.table(outcomes));
      System.err.println(Outcome.table(List.of(outcome)).get(2));
      outcome.complaints().forEach(line -> System.err.println("faults:   " + line));
    }
    Outcome.table(outcomes).forEach(System.out::println);
    System.out.println("The table: " + TABLE.toAbsolutePath());
    if (options.keep()) {
      System.out.println("journals and logs: " + dir);
    } else {
      Cleanup.remove(dir);
    }
    boolean good = outcomes.stream().allMatch(Outcome::isGood);
    System.out.println(good ? "All bars are held." : "A bar is missed.");
    return good ? 0 : 1;
  }

  /**
   * Writes the table after each scenario, so that the results are kept when the command is stopped.
   */
  private static void write(List<String> table) {
    try {
      Files.createDirectories(TABLE.getParent());
      Files.write(TABLE, table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
