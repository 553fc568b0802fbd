package carillon.faults;

import carillon.support.Await;
import carillon.support.Backlog;
import carillon.support.Ports;
import carillon.support.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Redis whose clock can be stepped. */
final class FakedRedis implements Backend {
  private final Path dir;
  private final int port = Ports.free();
  private final FakeTime clock;
  private final Process process;

  private FakedRedis(Path dir) throws IOException {
    this.dir = dir;
    clock = new FakeTime(dir.resolve("clock"));
    ProcessBuilder builder =
        new ProcessBuilder(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--unixsocket",
                socket().toString(),
                "--dir",
                dir.toString(),
                "--save",
                "",
                "--logfile",
                dir.resolve("log").toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(clock.environment());
    process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Await.until("a Redis with a clock of its own", Duration.ofSeconds(20), this::answers);
  }

  static Backend start() {
    try {
      return new FakedRedis(Files.createTempDirectory("carillon-faked-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path socket() {
    return dir.resolve("redis.sock");
  }

  private boolean answers() {
    try {
      return RedisServer.list(socket(), "PING").get(0).equals("PONG");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  FakeTime clock() {
    return clock;
  }

  @Override
  public Map<String, String> settings(int node) {
    return Map.of("CARILLON_REDIS_URI", "redis://127.0.0.1:" + port);
  }

  @Override
  public Backlog backlog() {
    return new Backlog(command -> ":" + RedisServer.list(socket(), command).get(0));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    try {
      for (Path file : List.of(socket(), dir.resolve("clock"), dir.resolve("log"), dir)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
