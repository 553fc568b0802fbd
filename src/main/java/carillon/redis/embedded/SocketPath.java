package carillon.redis.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Path of the unix socket: in the data directory, unless its path would be too long for a socket
 * address (104 bytes on macOS, 108 on Linux, with the final zero). Then it is in a separate
 * directory, private to the user, under the system's temporary directory.
 *
 * @param socket the absolute path
 * @param temporaryDir directory to remove at the end, if there is one
 */
record SocketPath(Path socket, Optional<Path> temporaryDir) implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketPath.class);
  private static final String NAME = "redis.sock";
  private static final int MAX_BYTES = 100;

  static SocketPath of(Path dataDir) throws IOException {
    Path socket = dataDir.resolve(NAME);
    return fits(socket) ? new SocketPath(socket, Optional.empty()) : temporary(socket);
  }

  private static SocketPath temporary(Path tooLong) throws IOException {
    Path dir = Files.createTempDirectory("carillon-"); // mode 700
    Path socket = dir.toAbsolutePath().resolve(NAME);
    if (!fits(socket)) {
      Files.delete(dir);
      throw new EmbeddedRedisException(
          "no place for the socket of Redis: both "
              + tooLong
              + " and "
              + socket
              + " are longer than a socket address can hold ("
              + MAX_BYTES
              + " bytes): choose a shorter data.dir");
    }
    LOG.atInfo()
        .addKeyValue("socket", socket)
        .addKeyValue("tooLong", tooLong)
        .log(
            "the path of the data directory is too long for a unix socket; the socket is in another directory");
    return new SocketPath(socket, Optional.of(dir));
  }

  private static boolean fits(Path socket) {
    return socket.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
  }

  /** Removes the temporary directory, when there is one. */
  @Override
  public void close() {
    temporaryDir.ifPresent(this::remove);
  }

  private void remove(Path dir) {
    try {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(dir);
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("dir", dir).setCause(e).log("cannot remove the socket's directory");
    }
  }
}
