package carillon.redis.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.support.Await;
import carillon.support.EventLoopTest;
import carillon.support.RedisCluster;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of a link while masters of a Cluster die and come back, and while slots move. */
@Tag("redis")
class ClusterRouteTest extends EventLoopTest {
  private static final Keys KEYS = new Keys("carillon", 64);
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static RedisCluster cluster;

  private RedisLink link;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    cluster.awaitReplicas();
    link = on(() -> RedisLink.open(vertx, cluster.setup(DEADLINE)));
  }

  @Test
  void whatBelongsToAQueueIsInItsSlot() {
    for (String collection : List.of("default/default/c", "s/g/c")) {
      String queue = KEYS.queue(collection, "q");

      assertTrue(
          ClusterRoute.isOneSlot(
              List.of(
                  queue,
                  SlotMap.slotGuard(queue),
                  KEYS.queueAdded(collection, "q"),
                  KEYS.queueMaxLengths(collection, "q"),
                  KEYS.queueSizes(collection))));
    }
  }

  @AfterEach
  void close() {
    on(link::close);
  }

  private Response set(String key, String value) {
    return on(() -> link.send(Request.cmd(Command.SET).arg(key).arg(value)));
  }

  private boolean isServed(int partition) {
    try {
      return set(KEYS.due(partition) + "probe", "x") != null;
    } catch (JobException e) {
      assertEquals(ErrorCode.STORE_UNAVAILABLE, e.code());
      return false;
    }
  }

  /** A busy machine may let a master answer late. */
  private void awaitService(int partition) {
    Await.until("service of partition " + partition, () -> isServed(partition));
  }

  /** Returns what {@link #isServed} wrote, once the partition is served. */
  private String probe(int partition) {
    AtomicReference<String> found = new AtomicReference<>();
    Await.until(
        "a reply for partition " + partition,
        () -> {
          try {
            Request get = Request.cmd(Command.GET).arg(KEYS.due(partition) + "probe");
            found.set(on(() -> link.send(get)).toString());
            return true;
          } catch (JobException e) {
            assertEquals(ErrorCode.STORE_UNAVAILABLE, e.code());
            return false;
          }
        });
    return found.get();
  }

  private RedisServer masterOf(int partition) {
    return cluster.masterOf(cluster.slot("{" + partition + "}"));
  }

  /** Returns a partition on another master than this server. */
  private int apartFrom(RedisServer server) {
    return IntStream.range(0, 64).filter(p -> masterOf(p) != server).findFirst().orElseThrow();
  }

  @Test
  void slotsAreComputedAsRedisDoes() {
    CollectionName collection = new CollectionName("default", "Group", "c");
    for (String key :
        List.of(
            KEYS.due(17),
            KEYS.claims(3, "node-{1}"),
            KEYS.nodes(),
            KEYS.collection(collection),
            SlotMap.slotGuard(KEYS.due(17)),
            SlotMap.slotGuard(KEYS.collection(collection)))) {
      assertEquals(cluster.slot(key), SlotMap.slot(key), key);
    }
  }

  @Test
  void theKeyThatNeverExistsIsInTheSlotOfTheOthers() {
    CollectionName collection = new CollectionName("default", "group", "c");
    for (String key : List.of(KEYS.due(17), KEYS.collection(collection), KEYS.meta())) {
      assertEquals(SlotMap.slot(key), SlotMap.slot(SlotMap.slotGuard(key)), key);
      assertTrue(SlotMap.slotGuard(key).startsWith("carillon:"));
    }
  }

  @Test
  void partitionsAreSpreadOverAllMasters() {
    List<Long> counts =
        cluster.masters().stream()
            .map(master -> IntStream.range(0, 64).filter(p -> masterOf(p) == master).count())
            .toList();

    assertEquals(64, counts.stream().mapToLong(Long::longValue).sum());
    assertTrue(counts.stream().allMatch(count -> count >= 15), counts.toString());
  }

  @Test
  void theClockIsThatOfTheMasterThatHoldsTheNodes() {
    long before = Instant.now().getEpochSecond();

    Response time = on(() -> link.send(KEYS.nodes(), Request.cmd(Command.TIME)));

    long told = time.get(0).toLong();
    assertTrue(told >= before && told <= Instant.now().getEpochSecond(), () -> told + "");
  }

  @Test
  void aKilledMasterCostsOnlyItsOwnSlotsUntilItsReplicaTakesOver() {
    RedisServer killed = masterOf(0);
    int other = apartFrom(killed);
    awaitService(0);

    killed.kill9();
    long begin = System.nanoTime();
    Await.until("the loss", () -> !isServed(0));
    awaitService(other);
    assertTrue(link.isUp());
    Await.until("the failover", () -> isServed(0));

    System.out.printf(
        "cluster: kill -9 of a master, its slots served again after %d ms%n",
        (System.nanoTime() - begin) / 1_000_000);
    killed.restart();
    Await.until("the return", () -> !cluster.isMaster(killed));
    cluster.awaitReplicas();
    awaitService(0);
  }

  @Test
  void aMasterThatIsBackBeforeItsReplicaTookOverIsFoundAgain() {
    RedisServer killed = masterOf(0);
    awaitService(0);

    killed.kill9();
    Await.until("the loss", () -> !isServed(0));
    killed.restart();

    Await.until("service", () -> isServed(0));
  }

  @Test
  void aFrozenMasterIsLeftForItsReplicaAndNotTrustedWhenItGoesOn() {
    RedisServer frozen = masterOf(0);
    awaitService(0);

    frozen.pause();
    Await.until("the failover", () -> isServed(0));
    frozen.resume();
    Await.until("the demotion", () -> !cluster.isMaster(frozen));

    assertEquals("x", probe(0));
  }

  @Test
  void aLinkOpensWhileSomeOfTheNamedNodesAreDown() {
    RedisServer replica =
        IntStream.range(0, 6)
            .mapToObj(cluster::server)
            .filter(server -> !cluster.isMaster(server))
            .findFirst()
            .orElseThrow();
    replica.kill9();

    RedisLink second = on(() -> RedisLink.open(vertx, cluster.setup()));

    assertTrue(second.isUp());
    on(second::close);
    assertFalse(second.isUp());
    replica.restart();
  }

  @Test
  void mastersThatWereNotNamedAreToldOf() {
    Set<Integer> found = ConcurrentHashMap.newKeySet();
    RedisLinkOptions named = cluster.setup();
    RedisLinkOptions one =
        RedisLinkOptions.of(named.settings(), named.uris().subList(0, 1))
            .telling((host, port) -> found.add(port), RedisObserver.NONE);

    List<Integer> ports = cluster.masters().stream().map(RedisServer::port).toList();

    RedisLink second = on(() -> RedisLink.open(vertx, one));

    assertTrue(found.containsAll(ports), found + " of " + ports);
    on(second::close);
  }

  @Test
  void aServerThatIsNoClusterIsRefusedInOneLine() {
    try (RedisServer single = RedisServer.startWithPort()) {
      RedisLinkOptions setup =
          TestRedis.with(
              "mode=cluster", "uri=" + single.tcpUri(), "commandTimeout=20s", "reconnectMax=100ms");

      Throwable refusal =
          assertThrows(Throwable.class, () -> on(() -> RedisLink.open(vertx, setup)));

      assertTrue(refusal.toString().contains("cluster support disabled"), refusal.toString());
    }
  }
}
