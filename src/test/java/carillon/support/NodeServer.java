package carillon.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Server by others that runs on Node.js, from a folder of {@code src/test/clients}. */
final class NodeServer implements AutoCloseable {
  private final Path out;
  private final Process process;

  NodeServer(String client, List<String> command) {
    try {
      out = Files.createTempFile("carillon-" + client + "-", ".out");
      process =
          new ProcessBuilder(command)
              .directory(Path.of("src/test/clients", client).toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its output so far. */
  String said() {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the server. Its data is lost. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      Files.delete(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
