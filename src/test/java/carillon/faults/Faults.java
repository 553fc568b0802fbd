package carillon.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The command. Progress goes to standard error, the table to standard output. */
public final class Faults {
  private static final String JAR = "carillon.jar";
  private static final Path TABLE = Path.of("target", "faults.md");

  private Faults() {}

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments)));
  }

  static int run(List<String> arguments) {
    try {
      return run(Options.parse(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println("faults: " + e.getMessage());
      return 2;
    }
  }

  private static int run(Options options) {
    switch (options.form()) {
      case HELP -> {
        System.out.println(Options.USAGE);
        return 0;
      }
      case LIST -> {
        Catalogue.everything()
            .forEach(each -> System.out.printf("%-24s %s%n", each.name(), each.what()));
        return 0;
      }
      default -> {
        return judge(options);
      }
    }
  }

  private static int judge(Options options) {
    if (System.getProperty(JAR) == null) {
      System.setProperty(JAR, Path.of("target", JAR).toAbsolutePath().toString());
    }
    if (!Files.isRegularFile(Path.of(System.getProperty(JAR)))) {
      throw new IllegalArgumentException(
          System.getProperty(JAR) + " is missing: mvn package -DskipTests");
    }
    List<Outcome> outcomes = new ArrayList<>();
    Path dir = directory();
    for (Scenario scenario : Catalogue.chosen(options)) {
      System.err.printf("faults: %s: %s%n", scenario.name(), scenario.what());
      Outcome outcome = new Trial(scenario, dir.resolve(scenario.name())).run();
      outcomes.add(outcome);
      write(Table.of(outcomes));
      System.err.print(Table.of(List.of(outcome)).lines().skip(2).toList().get(0) + "\n");
      if (!outcome.isGood()) {
        outcome.trouble().forEach(line -> System.err.println("faults:   " + line));
        outcome
            .verdict()
            .ifPresent(
                verdict ->
                    verdict.problems().forEach(line -> System.err.println("faults:   " + line)));
      }
    }
    System.out.println(Table.of(outcomes));
    System.out.println("The table: " + TABLE.toAbsolutePath());
    if (options.keep()) {
      System.out.println("journals and logs: " + dir);
    } else {
      delete(dir);
    }
    boolean good = outcomes.stream().allMatch(Outcome::isGood);
    System.out.println(good ? "All bars are held." : "A bar is missed.");
    return good ? 0 : 1;
  }

  /** After each scenario: what was seen until then is kept when the command is ended. */
  private static void write(String table) {
    try {
      Files.createDirectories(TABLE.getParent());
      Files.writeString(TABLE, table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path directory() {
    try {
      return Files.createTempDirectory("carillon-faults-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path dir) {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
