package carillon.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is to be undone at the end, last thing first: at the end of the program, or when it is told
 * to end.
 */
final class Cleanup implements AutoCloseable {
  private final ArrayDeque<AutoCloseable> steps = new ArrayDeque<>();

  /** One that is also carried out when the JVM ends early. */
  static Cleanup atExit() {
    Cleanup cleanup = new Cleanup();
    Runtime.getRuntime().addShutdownHook(new Thread(cleanup::close, "cleanup"));
    return cleanup;
  }

  synchronized void add(AutoCloseable step) {
    steps.push(step);
  }

  /** A new directory that will be removed with all that is in it. */
  Path temporaryDirectory() {
    try {
      Path dir = Files.createTempDirectory("carillon-benchmark-");
      add(() -> remove(dir));
      return dir;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each step once, whatever becomes of the others. */
  @Override
  public synchronized void close() {
    while (!steps.isEmpty()) {
      try {
        steps.pop().close();
      } catch (Exception e) {
        System.err.println("benchmark: could not clean up: " + e);
      }
    }
  }

  private static void remove(Path dir) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : innermostFirst) {
        Files.deleteIfExists(file);
      }
    }
  }
}
