package carillon.support;

import carillon.redis.route.RedisLinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real Redis Cluster: three masters with a third of the slots each, and one replica for each
 * master. Each JVM has one {@link #shared} cluster. Tests with kills or resharding start their own.
 */
public final class RedisCluster implements TestRedis {
  /** Replication offset of the replica that equals that of the master. */
  private static final Pattern REPLICATED =
      Pattern.compile("(?s)offset=(\\d+),lag.*master_repl_offset:\\1\\r");

  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;
  private static RedisCluster shared; // guarded by the class

  private final List<RedisServer> servers = new ArrayList<>();

  private RedisCluster(String... extraConfig) {
    for (int i = 0; i < 2 * MASTERS; i++) {
      String[] config =
          Stream.concat(
                  Stream.of(
                      "cluster-enabled yes",
                      "cluster-node-timeout 2000",
                      "cluster-port " + Ports.free(),
                      "repl-diskless-sync-delay 0"),
                  Stream.of(extraConfig))
              .toArray(String[]::new);
      servers.add(RedisServer.startWithPort(config));
    }
    form();
  }

  public static RedisCluster start(String... extraConfig) {
    return new RedisCluster(extraConfig);
  }

  /** Returns the shared cluster of this JVM. It ends with the JVM. */
  public static synchronized RedisCluster shared() {
    if (shared == null) {
      shared = start();
      shared.neverFailOver();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  /** Prevents a failover on a busy machine. */
  public void neverFailOver() {
    setNodeTimeout(600_000);
  }

  /** Allows a failover again, of masters that are silent for longer than a busy machine is slow. */
  public void failOver() {
    setNodeTimeout(10_000);
  }

  private void setNodeTimeout(int millis) {
    servers.stream()
        .filter(RedisCluster::isRunning)
        .forEach(server -> server.ask("CONFIG SET cluster-node-timeout " + millis));
  }

  private static boolean isRunning(RedisServer server) {
    return ProcessHandle.of(server.pid()).isPresent();
  }

  /**
   * Kills a master (SIGKILL) that accepts no more changes, once its replica has all of them. A
   * Cluster loses confirmed changes that had no time to reach a replica.
   */
  public void awaitReplicationAndKill(RedisServer master) {
    master.ask("CLIENT PAUSE 600000 WRITE");
    Await.until("replication", () -> REPLICATED.matcher(replication(master)).find());
    master.kill9();
  }

  private void form() {
    for (int i = 0; i < servers.size(); i++) {
      server(i).ask("CLUSTER SET-CONFIG-EPOCH " + (i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      int first = SLOTS * i / MASTERS;
      int last = SLOTS * (i + 1) / MASTERS - 1;
      server(i).ask("CLUSTER ADDSLOTSRANGE " + first + " " + last);
    }
    for (RedisServer other : servers) {
      String busPort = server(0).list("CONFIG GET cluster-port").get(1);
      other.ask("CLUSTER MEET 127.0.0.1 " + server(0).port() + " " + busPort);
    }
    await("all nodes known", server -> info(server).contains("cluster_known_nodes:6"));
    await("slots known", server -> info(server).contains("cluster_state:ok"));
    for (int i = 0; i < MASTERS; i++) {
      server(MASTERS + i).ask("CLUSTER REPLICATE " + id(server(i)));
    }
    awaitReplicas();
  }

  /** Waits until every node sees all slots served and each master has a replica. */
  public void awaitReplicas() {
    await("the cluster", server -> info(server).contains("cluster_state:ok"));
    await(
        "replicas",
        server ->
            isMaster(server)
                ? replication(server).contains("state=online")
                : replication(server).contains("master_link_status:up"));
  }

  private void await(String what, java.util.function.Predicate<RedisServer> condition) {
    Await.until(what, () -> servers.stream().allMatch(condition));
  }

  private static String info(RedisServer server) {
    return server.list("CLUSTER INFO").get(0);
  }

  private static String replication(RedisServer server) {
    return server.list("INFO replication").get(0);
  }

  /** Whether the server considers itself a master. */
  public boolean isMaster(RedisServer server) {
    return replication(server).contains("role:master");
  }

  /** Returns the node id of a server in the Cluster. */
  public static String id(RedisServer server) {
    return server.list("CLUSTER MYID").get(0);
  }

  /** Returns a server. Servers 0 to 2 begin as masters, 3 to 5 as their replicas. */
  public RedisServer server(int index) {
    return servers.get(index);
  }

  /** Returns the owner of a slot, according to the masters. */
  public RedisServer masterOf(int slot) {
    return masters().stream()
        .filter(server -> isOwner(server, slot))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody owns slot " + slot));
  }

  private static boolean isOwner(RedisServer server, int slot) {
    String self =
        server
            .list("CLUSTER NODES")
            .get(0)
            .lines()
            .filter(line -> line.contains("myself"))
            .findFirst()
            .orElseThrow();
    return Stream.of(self.split(" "))
        .skip(8)
        .filter(range -> !range.startsWith("["))
        .map(range -> range.split("-"))
        .anyMatch(
            range ->
                Integer.parseInt(range[0]) <= slot
                    && slot <= Integer.parseInt(range[range.length - 1]));
  }

  /** Returns the running servers that consider themselves masters. */
  public List<RedisServer> masters() {
    return servers.stream().filter(RedisCluster::isRunning).filter(this::isMaster).toList();
  }

  /** Returns the slot of a key. */
  public int slot(String key) {
    return Integer.parseInt(server(0).list("CLUSTER KEYSLOT " + key).get(0));
  }

  /** Begins to move a slot. Afterwards its keys may be moved one by one. */
  public void beginMove(int slot, RedisServer from, RedisServer to) {
    to.ask("CLUSTER SETSLOT " + slot + " IMPORTING " + id(from));
    from.ask("CLUSTER SETSLOT " + slot + " MIGRATING " + id(to));
  }

  /** Moves up to {@code count} keys of a slot. Returns false if none remains. */
  public boolean moveKeys(int slot, int count, RedisServer from, RedisServer to) {
    List<String> keys = from.list("CLUSTER GETKEYSINSLOT " + slot + " " + count);
    if (!keys.isEmpty()) {
      moveKey(String.join(" ", keys), from, to);
    }
    return !keys.isEmpty();
  }

  /** Moves these keys, separated by blanks. */
  public void moveKey(String keys, RedisServer from, RedisServer to) {
    from.ask("MIGRATE 127.0.0.1 " + to.port() + " \"\" 0 5000 KEYS " + keys);
  }

  /** Completes the move of a slot. */
  public void endMove(int slot, RedisServer from, RedisServer to) {
    String owner = id(to);
    to.ask("CLUSTER SETSLOT " + slot + " NODE " + owner);
    from.ask("CLUSTER SETSLOT " + slot + " NODE " + owner);
    masters().forEach(server -> server.ask("CLUSTER SETSLOT " + slot + " NODE " + owner));
  }

  /** Returns the number of keys of each master. */
  public List<Long> sizes() {
    return masters().stream().map(server -> Long.parseLong(server.list("DBSIZE").get(0))).toList();
  }

  /** Returns the addresses of all servers, separated by commas. */
  public String uris() {
    return servers.stream()
        .map(server -> server.tcpUri().toString())
        .collect(Collectors.joining(","));
  }

  @Override
  public RedisLinkOptions setup() {
    return setup(RedisServer.COMMAND_TIMEOUT);
  }

  /** Same as {@link #setup()}, with a deadline for each command. */
  public RedisLinkOptions setup(Duration commandTimeout) {
    return TestRedis.with(
        "mode=cluster", "uri=" + uris(), "commandTimeout=" + commandTimeout, "reconnectMax=100ms");
  }

  /** Sends an inline command to every master and returns the sum of the replies. */
  public String sum(String command) {
    long sum =
        masters().stream().mapToLong(server -> Long.parseLong(server.list(command).get(0))).sum();
    return ":" + sum;
  }

  @Override
  public List<String> keys(String pattern) {
    return masters().stream().flatMap(master -> master.keys(pattern).stream()).toList();
  }

  @Override
  public String dump() {
    return masters().stream().map(RedisServer::dump).collect(Collectors.joining("\n"));
  }

  @Override
  public void flush() {
    masters().forEach(RedisServer::flush);
  }

  @Override
  public void close() {
    IntStream.range(0, servers.size()).forEach(i -> servers.get(i).close());
  }
}
