package carillon.redis.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Launcher of Redis: writes its configuration, runs it and waits until it answers. */
final class RedisLauncher {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PREVIOUS_END_TIMEOUT = Duration.ofSeconds(20);
  private static final int TAIL_BYTES = 4096;
  private static final int TAIL_LINES = 12;

  private final EmbeddedRedisOptions options;
  private final Path socket;
  private final Path log;

  RedisLauncher(EmbeddedRedisOptions options, Path socket) {
    this.options = options;
    this.socket = socket;
    this.log = options.dataDir().resolve("redis.log");
  }

  /**
   * Waits for the Redis of a holder of the directory that was killed a moment ago: its shell is
   * ending it. Two of them on one append-only file would destroy it.
   */
  static void awaitEndOf(Path dataDir, Path previousSocket) {
    InlineRedisClient client = new InlineRedisClient(previousSocket);
    long deadline = System.nanoTime() + PREVIOUS_END_TIMEOUT.toNanos();
    while (client.listening()) {
      if (System.nanoTime() - deadline > 0) {
        throw new EmbeddedRedisException(
            "an earlier Redis still uses " + dataDir + " (socket " + previousSocket + "): stop it");
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    if (Thread.currentThread().isInterrupted()) { // an interrupted check looks like a closed socket
      throw new EmbeddedRedisException("interrupted while an earlier Redis ends");
    }
  }

  TetheredProcess run(Path binary) throws IOException {
    Path conf = options.dataDir().resolve("redis.conf");
    Files.write(conf, conf());
    long logged = Files.exists(log) ? Files.size(log) : 0;
    TetheredProcess redis = TetheredProcess.start(log, List.of(binary.toString(), conf.toString()));
    try {
      awaitAnswer(redis, logged);
      return redis;
    } catch (IOException | RuntimeException e) {
      redis.kill();
      redis.process().onExit().completeOnTimeout(null, 5, TimeUnit.SECONDS).join();
      throw e;
    }
  }

  /** The lines of redis.conf. */
  private List<String> conf() {
    List<String> lines = new ArrayList<>();
    lines.add("# Written by Carillon at every start.");
    lines.add("# No TCP port: only this user's programs reach it, through the socket.");
    lines.add("port 0");
    lines.add("unixsocket " + quoted(socket));
    lines.add("unixsocketperm 700");
    lines.add("dir " + quoted(options.dataDir()));
    lines.add("logfile " + quoted(log));
    lines.add("daemonize no");
    lines.add(
        "# Every write is in the append-only file before it is answered; no snapshots besides.");
    lines.add("appendonly yes");
    lines.add("appendfsync " + options.fsync().name().toLowerCase(Locale.ROOT));
    lines.add("save \"\"");
    lines.add("# Jobs are not a cache: refuse writes rather than forget jobs.");
    lines.add("maxmemory-policy noeviction");
    lines.add(
        "# A job is a hash of a few fields. Up to this size of a value (bytes; Redis' default is 64) it");
    lines.add(
        "# is kept as one compact block instead of a hash table, which takes several times the memory.");
    lines.add("hash-max-listpack-value 4096");
    lines.add(
        "# Every job writes the append-only file a few times over, and each rewrite of the file");
    lines.add("# takes a core for seconds: not yet at Redis' 64 MB.");
    lines.add("auto-aof-rewrite-min-size 512mb");
    lines.addAll(options.extraConfig());
    return lines;
  }

  /** Quotes a path. Redis reads a quoted value with C-like escapes. */
  private static String quoted(Path path) {
    return '"' + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private void awaitAnswer(TetheredProcess redis, long logged) throws IOException {
    InlineRedisClient client = new InlineRedisClient(socket);
    long lastWord = System.nanoTime();
    while (!hasEnded(redis.process())) {
      Optional<String> reply = client.ask("PING", ANSWER_TIMEOUT);
      if (reply.filter("+PONG"::equals).isPresent()) {
        return;
      }
      if (reply.filter(line -> line.startsWith("-LOADING")).isPresent()) {
        lastWord = System.nanoTime();
      } else if (System.nanoTime() - lastWord > options.startDeadline().toNanos()) {
        throw failure("Redis does not answer after " + options.startDeadline(), reply, logged);
      }
    }
    int code = redis.process().exitValue();
    throw failure("Redis ended with exit code " + code, Optional.empty(), logged);
  }

  /** Waits a moment for the end. */
  private static boolean hasEnded(Process process) {
    try {
      return process.waitFor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedRedisException("interrupted while Redis starts", e);
    }
  }

  private EmbeddedRedisException failure(String what, Optional<String> reply, long logged)
      throws IOException {
    String said = reply.map(line -> ", it said " + line).orElse("");
    return new EmbeddedRedisException(what + said + "; the end of " + log + ":\n" + tail(logged));
  }

  /** The last lines that were added to the log since {@code from}. */
  private String tail(long from) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(from, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }
  }
}
