package carillon.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of one process, as libfaketime shows it; its monotonic clock is left alone.
 *
 * @param file from which the process reads how far its clock is off
 */
record FakeTime(Path file) {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

  /** Why there is none on this machine. */
  static Optional<String> missing() {
    return library().isPresent() ? Optional.empty() : Optional.of("faketime is not installed");
  }

  private static Optional<Path> library() {
    return LIBRARIES.stream().filter(Files::isRegularFile).findFirst();
  }

  /** What the process is to be started with. */
  Map<String, String> environment() {
    set(Duration.ZERO);
    return Map.of(
        "LD_PRELOAD",
        library().orElseThrow().toString(),
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_NO_CACHE",
        "1",
        "FAKETIME_TIMESTAMP_FILE",
        file.toString());
  }

  /** From now on the clock is ahead by this, or behind if negative. */
  void set(Duration ahead) {
    try {
      Path half = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(half, "%+.3f%n".formatted(ahead.toMillis() / 1000.0));
      Files.move(half, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
