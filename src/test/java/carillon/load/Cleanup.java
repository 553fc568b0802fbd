package carillon.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Steps to run at the end of the program, or when it is asked to end. The step added last runs
 * first.
 */
public final class Cleanup implements AutoCloseable {
  private final ArrayDeque<AutoCloseable> steps = new ArrayDeque<>();

  /** Returns a cleanup that also runs when the JVM ends early. */
  public static Cleanup atExit() {
    Cleanup cleanup = new Cleanup();
    Runtime.getRuntime().addShutdownHook(new Thread(cleanup::close, "cleanup"));
    return cleanup;
  }

  /** Adds a step that runs before all steps added earlier. */
  public synchronized void add(AutoCloseable step) {
    steps.push(step);
  }

  /** Creates a temporary directory, which stays until it is {@link #remove}d. */
  public static Path directory(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs each step once, even if other steps fail. */
  @Override
  public synchronized void close() {
    while (!steps.isEmpty()) {
      try {
        steps.pop().close();
      } catch (Exception | AssertionError e) {
        System.err.println("could not clean up: " + e);
      }
    }
  }

  /** Removes a directory with all its contents. */
  public static void remove(Path dir) {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
