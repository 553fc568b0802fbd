package carillon.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Separate process of the comparison. Maven's own process compiles only with C1. The load there
 * takes two to three times as much processor time from the schedulers as necessary.
 */
final class LoadProcess {
  /** System property that is set in this separate process. */
  private static final String MARK = "carillon.benchmark.loadProcess";

  private LoadProcess() {}

  /** Whether these arguments ask for a comparison and this is not its process yet. */
  static boolean isWanted(String[] arguments) {
    return System.getProperty(MARK) == null && List.of(arguments).contains("--compare");
  }

  /**
   * Runs the comparison with the same arguments, output and directory, and returns its exit code.
   * Blocks.
   */
  static int run(String[] arguments) {
    List<String> command =
        Stream.of(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-D" + MARK + "=true",
                    "-cp",
                    ChildProcess.classPath(),
                    Benchmark.class.getName()),
                Stream.of(arguments))
            .flatMap(part -> part)
            .toList();
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      return process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Benchmark.FAILED;
    }
  }
}
