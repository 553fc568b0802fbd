package carillon.redis.embedded;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Redis server of our own: a child process that listens on a unix socket and keeps its data in a
 * directory, append-only file on. It ends when this process ends, however that happens, and not
 * before {@link #close}: Ctrl-C in the terminal does not reach it.
 *
 * <p>Everything here blocks: start it before the event loops and close it after them. Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

  private final EmbeddedRedisOptions options;
  private final RedisBinary binary;
  private final DataDirLock lock;
  private final SocketPath socketPath;
  private volatile TetheredProcess redis;
  private boolean closed;

  private EmbeddedRedis(
      EmbeddedRedisOptions options,
      RedisBinary binary,
      DataDirLock lock,
      SocketPath socketPath,
      TetheredProcess redis) {
    this.options = options;
    this.binary = binary;
    this.lock = lock;
    this.socketPath = socketPath;
    this.redis = redis;
  }

  /**
   * Starts Redis and waits until it answers. While it says that it is loading its data there is no
   * time limit: a large file takes minutes.
   *
   * @throws EmbeddedRedisException when the directory is in use by another Carillon, there is no
   *     program for this system, or Redis ends or stays silent; then with the last lines of its log
   */
  public static EmbeddedRedis start(EmbeddedRedisOptions options) {
    Path dataDir = options.dataDir();
    createPrivate(dataDir);
    DataDirLock lock = DataDirLock.acquire(dataDir);
    try {
      lock.previousSocket().ifPresent(socket -> RedisLauncher.awaitEndOf(dataDir, socket));
      RedisBinary binary = RedisBinary.find(options.binary(), dataDir.resolve("bin"));
      return start(options, lock, binary);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Returns the address of the Redis of another process with this directory; empty when none has
   * it.
   *
   * @throws EmbeddedRedisException when there is no such directory, or it cannot be read
   */
  public static Optional<URI> running(Path dataDir) {
    return DataDirLock.holder(dataDir).map(EmbeddedRedis::uri);
  }

  private static EmbeddedRedis start(
      EmbeddedRedisOptions options, DataDirLock lock, RedisBinary binary) {
    try {
      SocketPath socketPath = SocketPath.of(options.dataDir());
      try {
        lock.note(socketPath.socket());
        TetheredProcess redis = new RedisLauncher(options, socketPath.socket()).run(binary.path());
        return new EmbeddedRedis(options, binary, lock, socketPath, redis).announced();
      } catch (IOException | RuntimeException e) {
        socketPath.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EmbeddedRedisException("cannot start Redis in " + options.dataDir(), e);
    }
  }

  private EmbeddedRedis announced() {
    LOG.atInfo()
        .addKeyValue("redisPid", pid())
        .addKeyValue("binary", binary.path())
        .addKeyValue("version", version())
        .addKeyValue("socket", socketPath.socket())
        .log("embedded Redis started");
    if (binary.isBundled()) {
      LOG.atWarn()
          .addKeyValue("version", version())
          .log(
              "unsafe: the bundled Redis lacks the security fixes since it was built; install"
                  + " redis-server or valkey-server, which Carillon then uses");
    }
    return this;
  }

  /** The process id of Redis itself. */
  public long pid() {
    return redis.pid();
  }

  /** Returns its address: {@code unix:///path/redis.sock}, special characters percent-encoded. */
  public URI uri() {
    return uri(socketPath.socket());
  }

  private static URI uri(Path socket) {
    try {
      return new URI("unix", "", socket.toString(), null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The program it was started from. */
  public Path binary() {
    return binary.path();
  }

  /** The version that the program says it is, for example 7.0.15. */
  public String version() {
    return binary.version();
  }

  /**
   * Completes with the exit code (128 + signal when killed) when Redis has ended, also
   * unexpectedly.
   */
  public CompletableFuture<Integer> onExit() {
    return redis.process().onExit().thenApply(Process::exitValue);
  }

  /**
   * Supervises Redis: starts it again, on the same socket and data, whenever it ends unexpectedly.
   * It does so immediately, and then every second until Redis stays up.
   */
  public EmbeddedRedis supervised() {
    Thread keeper = new Thread(this::supervise, "embedded-redis");
    keeper.setDaemon(true);
    keeper.start();
    return this;
  }

  private void supervise() {
    try {
      redis.process().waitFor();
      while (!restarted()) {
        TimeUnit.MILLISECONDS.sleep(RESTART_PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * True when there is nothing more to do for this keeper: Redis is up with a new one, or closed.
   */
  private synchronized boolean restarted() {
    if (closed) {
      return true;
    }
    LOG.atError().addKeyValue("redisPid", pid()).log("embedded Redis ended, starting it again");
    try {
      closePipe();
      redis = new RedisLauncher(options, socketPath.socket()).run(binary.path());
      announced().supervised();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.atError().setCause(e).log("embedded Redis does not start");
      return false;
    }
  }

  /**
   * Ends Redis and frees the data directory. It first asks Redis to shut down, which completes its
   * append-only file. After ten seconds it terminates Redis, and finally kills it, which can lose
   * data that a stalled disk has not taken yet. Does nothing the second time.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (lock;
        socketPath) {
      stop();
    }
  }

  private void stop() {
    boolean interrupted = Thread.interrupted(); // otherwise the channel and the wait would give up
    if (redis.process().isAlive()) {
      new InlineRedisClient(socketPath.socket()).ask("SHUTDOWN NOSAVE", STOP_TIMEOUT);
    }
    if (!ended(KILL_TIMEOUT)) {
      redis.terminate();
    }
    if (!ended(KILL_TIMEOUT)) {
      redis.kill();
    }
    if (!ended(KILL_TIMEOUT)) {
      LOG.atError().addKeyValue("redisPid", pid()).log("embedded Redis cannot be killed");
    }
    closePipe();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean ended(Duration patience) {
    try {
      return redis.process().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void closePipe() {
    try {
      redis.process().getOutputStream().close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("the pipe to the embedded Redis was closed already");
    }
  }

  private static void createPrivate(Path dir) {
    try {
      if (!Files.isDirectory(dir)) {
        if (dir.getParent() != null) {
          Files.createDirectories(dir.getParent());
        }
        Files.createDirectory(
            dir,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
    } catch (IOException e) {
      throw new EmbeddedRedisException("cannot create the data directory " + dir + ": " + e, e);
    }
  }
}
