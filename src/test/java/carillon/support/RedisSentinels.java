package carillon.support;

import carillon.redis.route.RedisLinkOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real master with two replicas and three Sentinels. Each JVM has one {@link #shared} instance.
 * Tests with failovers start their own.
 */
public final class RedisSentinels implements TestRedis {
  public static final String MASTER_NAME = "bells";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static RedisSentinels shared; // guarded by the class

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<Sentinel> sentinels = new ArrayList<>();

  /** A process, its port and its directory. */
  private record Sentinel(Process process, int port, Path dir) {}

  private RedisSentinels(Duration downAfter, String... extraConfig) {
    String[] config =
        Stream.concat(Stream.of("repl-diskless-sync-delay 0"), Stream.of(extraConfig))
            .toArray(String[]::new);
    for (int i = 0; i < 3; i++) {
      servers.add(RedisServer.startWithPort(config));
    }
    servers.subList(1, 3).forEach(replica -> replica.ask("REPLICAOF 127.0.0.1 " + port(0)));
    awaitReplicas(2);
    for (int i = 0; i < 3; i++) {
      sentinels.add(sentinel(downAfter));
    }
    Await.until("three Sentinels that know each other", PATIENCE, this::isWatched);
  }

  public static RedisSentinels start(String... extraConfig) {
    return new RedisSentinels(Duration.ofSeconds(1), extraConfig);
  }

  /**
   * Returns the shared instance of this JVM. It ends with the JVM. A busy machine does not trigger
   * a failover.
   */
  public static synchronized RedisSentinels shared() {
    if (shared == null) {
      shared = new RedisSentinels(Duration.ofMinutes(1));
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  private int port(int server) {
    return servers.get(server).port();
  }

  private Sentinel sentinel(Duration downAfter) {
    try {
      Path dir = Files.createTempDirectory("carillon-sentinel-");
      int port = Ports.free();
      Path conf = dir.resolve("sentinel.conf");
      Files.write(
          conf,
          List.of(
              "port " + port,
              "bind 127.0.0.1",
              "dir " + dir,
              "unixsocket " + dir.resolve("s.sock"),
              "sentinel monitor " + MASTER_NAME + " 127.0.0.1 " + port(0) + " 2",
              "sentinel down-after-milliseconds " + MASTER_NAME + " " + downAfter.toMillis(),
              "sentinel failover-timeout " + MASTER_NAME + " 6000"));
      Process process =
          new ProcessBuilder(servers.get(0).binary().toString(), conf.toString(), "--sentinel")
              .redirectErrorStream(true)
              .redirectOutput(dir.resolve("log").toFile())
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new Sentinel(process, port, dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isWatched() {
    return sentinels.stream().allMatch(sentinel -> knowsAll(sentinel.dir().resolve("s.sock")));
  }

  private boolean knowsAll(Path socket) {
    try {
      return RedisServer.list(socket, "INFO sentinel")
          .get(0)
          .contains("status=ok,address=127.0.0.1:" + port(0) + ",slaves=2,sentinels=3");
    } catch (UncheckedIOException e) {
      return false; // not started yet
    }
  }

  /** Returns the running server that is the master. */
  public RedisServer master() {
    return servers.stream()
        .filter(server -> ProcessHandle.of(server.pid()).isPresent())
        .filter(RedisSentinels::isMaster)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no master"));
  }

  /**
   * Returns the master on which all Sentinels agree. A replaced master that restarts considers
   * itself a master until the Sentinels demote it. When they do, they close all its client
   * connections.
   */
  public RedisServer elected() {
    Await.until(
        "Sentinels that agree",
        PATIENCE,
        () -> sentinels.stream().map(RedisSentinels::named).distinct().count() == 1);
    int port = named(sentinels.get(0));
    return servers.stream().filter(server -> server.port() == port).findFirst().orElseThrow();
  }

  private static int named(Sentinel sentinel) {
    String question = "SENTINEL get-master-addr-by-name " + MASTER_NAME;
    return Integer.parseInt(RedisServer.list(sentinel.dir().resolve("s.sock"), question).get(1));
  }

  /** Returns a server. The first one began as the master. */
  public RedisServer server(int index) {
    return servers.get(index);
  }

  /** Whether this running server considers itself a master. */
  public static boolean isMaster(RedisServer server) {
    try {
      return role(server).equals("master");
    } catch (UncheckedIOException e) {
      // A Sentinel closes all connections of a server whose role it changes, including this one.
      return role(server).equals("master");
    }
  }

  private static String role(RedisServer server) {
    return server.list("ROLE").get(0);
  }

  /** Waits until the master has this number of connected replicas. */
  public void awaitReplicas(int count) {
    Await.until(
        count + " replicas",
        PATIENCE,
        () ->
            master()
                    .list("INFO replication")
                    .get(0)
                    .lines()
                    .filter(line -> line.contains("state=online"))
                    .count()
                >= count);
  }

  /** Returns the addresses of the Sentinels, separated by commas. */
  public String uris() {
    return sentinels.stream()
        .map(sentinel -> "redis://127.0.0.1:" + sentinel.port())
        .collect(Collectors.joining(","));
  }

  @Override
  public RedisLinkOptions setup() {
    return TestRedis.with(
        "mode=sentinel",
        "uri=" + uris(),
        "masterName=" + MASTER_NAME,
        "commandTimeout=" + RedisServer.COMMAND_TIMEOUT,
        "reconnectMax=100ms");
  }

  @Override
  public List<String> keys(String pattern) {
    return master().keys(pattern);
  }

  @Override
  public String dump() {
    return master().dump();
  }

  @Override
  public void flush() {
    master().flush();
  }

  @Override
  public void close() {
    sentinels.forEach(sentinel -> sentinel.process().destroyForcibly());
    sentinels.forEach(sentinel -> sentinel.process().onExit().join());
    sentinels.forEach(sentinel -> RedisServer.delete(sentinel.dir()));
    IntStream.range(0, servers.size()).forEach(i -> servers.get(i).close());
  }
}
