package carillon.faults;

import carillon.support.RedisServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** File system of 24 MB in memory that can be filled. Requires root. */
final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 64 * 1024;

  private final Path dir;

  SmallDisk() {
    try {
      dir = Files.createTempDirectory("carillon-disk-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (run("mount", "-t", "tmpfs", "-o", "size=24m", "carillon-faults", dir.toString()) != 0) {
      throw new IllegalStateException("cannot mount " + dir);
    }
  }

  /** Returns why this machine cannot have one. */
  static Optional<String> missing() {
    try {
      new SmallDisk().close();
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of("tmpfs cannot be mounted");
    }
  }

  /** Starts a Redis that keeps its files on such a disk. */
  static Backend redis() {
    SmallDisk disk = new SmallDisk();
    return new Backend.OnSmallDisk(RedisServer.startIn(disk.dir, "appendfsync everysec"), disk);
  }

  /** Writes until the disk is full. */
  void fill() {
    try (OutputStream out = Files.newOutputStream(dir.resolve("filler"))) {
      while (true) {
        out.write(new byte[BLOCK]);
      }
    } catch (IOException e) {
      // full
    }
  }

  void free() {
    try {
      Files.delete(dir.resolve("filler"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    run("umount", dir.toString());
    try {
      Files.delete(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int run(String... command) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
