package carillon.conf;

import carillon.support.Await;
import carillon.support.Ports;
import carillon.support.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Redis with the unchanged {@code conf/redis.conf} and {@code conf/redis-users.acl}, except for its
 * directory, its port and the passwords.
 */
final class ProductionRedis implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final int port;

  /**
   * Starts the server.
   *
   * @param dir empty directory for its configuration and its data
   */
  ProductionRedis(Path dir) throws IOException {
    port = Ports.free();
    log = dir.resolve("redis.log");
    Path users = Files.writeString(dir.resolve("users.acl"), text("redis-users.acl"));
    Path conf =
        Files.writeString(
            dir.resolve("redis.conf"),
            replaced(
                replaced(
                    replaced(text("redis.conf"), "dir /var/lib/redis", "dir " + dir),
                    "aclfile /etc/redis/users.acl",
                    "aclfile " + users),
                "port 6379",
                "port " + port));
    process =
        new ProcessBuilder(RedisServer.shared().binary().toString(), conf.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Await.until("the end of its start", () -> !process.isAlive() || said().contains("Ready to"));
    if (!process.isAlive()) {
      throw new AssertionError(said());
    }
  }

  private static String text(String name) throws IOException {
    return Files.readString(Path.of("conf", name));
  }

  /** Replaces a line, and fails if the file does not contain it exactly once. */
  private static String replaced(String text, String line, String by) {
    if (text.lines().filter(line::equals).count() != 1) {
      throw new AssertionError("not there once: " + line);
    }
    return text.replace("\n" + line + "\n", "\n" + by + "\n");
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  /** Returns its whole log. */
  String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
