package carillon.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Wall clock of a process that can be stepped while the monotonic clock goes on. It is a library
 * that is loaded before the C library. Building it requires a C compiler.
 *
 * @param library path of the library to preload
 * @param file from which the process reads the offset of its clock
 */
record WallClock(Path library, Path file) {
  private static final String SOURCE = "/faults/clock.c";

  /** Returns why this machine cannot have one. */
  static Optional<String> missing() {
    return run("cc", "--version") ? Optional.empty() : Optional.of("no C compiler (cc)");
  }

  /** Builds the library, and a clock without an offset. */
  static WallClock in(Path dir, int number) {
    Path library = dir.resolve("clock.so");
    if (!Files.exists(library)) {
      compile(dir.resolve("clock.c"), library);
    }
    WallClock clock = new WallClock(library, dir.resolve("clock-" + number));
    clock.set(Duration.ZERO);
    return clock;
  }

  private static void compile(Path source, Path library) {
    try (InputStream text = WallClock.class.getResourceAsStream(SOURCE)) {
      Files.write(source, text.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!run("cc", "-shared", "-fPIC", "-O1", "-o", library + "", source + "", "-ldl")) {
      throw new IllegalStateException("cannot compile " + source);
    }
  }

  /** Returns the environment variables for the process. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "TEST_WALL_CLOCK", file.toString());
  }

  /** Sets the clock ahead from now on, or behind if {@code ahead} is negative. */
  void set(Duration ahead) {
    ByteBuffer millis = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    millis.putLong(ahead.toMillis()).flip();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      out.write(millis, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
