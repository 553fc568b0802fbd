package carillon.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapPressureTest {
  @Test
  void aProcessWhoseHeapIsFullEnds() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                Hoarder.class.getName())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();

    CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(process::destroyForcibly);

    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(HeapPressure.EXIT_CODE, process.waitFor(), said);
    assertTrue(said.contains("the heap is full"), said);
  }

  /** Fills the heap and continues after any failure, as an event loop does. */
  static final class Hoarder {
    private static Object[] hoard = {};

    private Hoarder() {}

    public static void main(String[] args) {
      HeapPressure.start();
      while (true) { // also takes memory that other threads free
        for (int size = 1 << 16; size > 16; size /= 2) {
          fill(size);
        }
      }
    }

    private static void fill(int size) {
      try {
        while (true) {
          hoard = new Object[] {hoard, new byte[size]};
        }
      } catch (OutOfMemoryError e) {
        // smaller ones may fit
      }
    }
  }
}
