package carillon.engine;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.NodeSettings.NodeRole;
import carillon.config.Settings;
import carillon.job.name.JobState;
import carillon.json.schedule.TimeZoneNames;
import carillon.store.node.NodeRecord;
import carillon.store.node.NodeStore;
import carillon.store.node.NodeStore.Member;
import carillon.store.node.NodeStore.State;
import carillon.store.node.StoreFormat;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of nodes that join, stand aside, leave and die, on a real Redis, with time as an input. */
@Tag("redis")
class NodesTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int PARTITIONS = Engine.KEYS.partitions();

  /** Key with the process that owns the id of the first node. */
  private static final String OWNER = "carillon:owner:{carillon:nodes}:first";

  private final TestClock clock = new TestClock(NOON);
  private final CallbackServer target = new CallbackServer();
  private Engine first;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    first = node("first", NodeRole.values());
  }

  @AfterEach
  void stop() {
    first.close();
    target.close();
  }

  /** The node's own heartbeats practically never happen: the test makes them. */
  private Engine node(String id, NodeRole... roles) {
    return node(id, clock, roles);
  }

  private static Engine node(String id, TestClock clock, NodeRole... roles) {
    Settings settings =
        EngineSettings.with(
            "node.id=" + id,
            "node.roles=" + Stream.of(roles).map(NodeRole::toString).collect(joining(",")));
    return new Engine(RedisServer.shared(), id, clock, settings);
  }

  private static Member member(Engine seer, String id) {
    return seer.members().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
  }

  private static NodeRecord record(Engine seer, String id) {
    return member(seer, id).record().orElseThrow();
  }

  private String putNow(Engine engine, String job) {
    engine.put(job, JobJson.post(target.url("/" + job)).json());
    return job;
  }

  @Test
  void eachNodeTellsOfItselfInRedis() {
    clock.set(NOON.plusSeconds(7));
    first.beat();
    clock.set(NOON.plusSeconds(9));

    Member seen = member(first, "first");

    assertEquals(State.ALIVE, seen.state(clock.instant()));
    assertEquals(NOON.plusSeconds(7).toEpochMilli(), seen.beat());
    assertEquals(
        new NodeRecord(
            List.of("api", "timer+dispatch"),
            "test",
            NOON,
            Duration.ofMinutes(3),
            false,
            List.of(PARTITIONS, 0, 0, 0),
            0,
            0,
            StoreFormat.FORMAT,
            TimeZoneNames.version()),
        seen.record().orElseThrow());
  }

  /** Otherwise the node would count until then as one of an earlier version, which reads less. */
  @Test
  void aNodeTellsOfItselfBeforeTheOthersSeeIt() {
    first.redis(Command.CONFIG, "SET", "slowlog-max-len", "10000");
    first.redis(Command.CONFIG, "SET", "slowlog-log-slower-than", "0");
    first.redis(Command.SLOWLOG, "RESET");
    try (Engine second = node("second", NodeRole.values())) {
      second.beat();
    } finally {
      first.redis(Command.CONFIG, "SET", "slowlog-log-slower-than", "-1");
    }

    List<String> newestFirst =
        first.redis(Command.SLOWLOG, "GET", "-1").stream()
            .map(entry -> entry.get(3).toString())
            .toList();
    int told = lastIndex(newestFirst, "hset, carillon:node:second");
    int seen = lastIndex(newestFirst, "zadd, carillon:nodes");
    assertTrue(told > seen, told + " is not before " + seen);
  }

  private static int lastIndex(List<String> commands, String start) {
    return IntStream.range(0, commands.size())
        .filter(i -> commands.get(i).toLowerCase(Locale.ROOT).startsWith("[" + start + ","))
        .max()
        .orElseThrow();
  }

  @Test
  void aNodeWhoseIdAnotherProcessHasByNowClaimsNothingAnyMore() {
    first.redis(Command.SET, OWNER, "another 3");
    first.beat();
    putNow(first, "j");

    first.step();

    assertEquals(List.of(), target.calls());
  }

  @Test
  void aNodeWhoseIdIsFreeAgainClaimsAgain() {
    first.redis(Command.SET, OWNER, "another 3");
    first.beat();
    putNow(first, "j");
    first.step();
    first.redis(Command.DEL, OWNER);

    first.beat();
    first.step();

    assertEquals(1, target.calls().size());
  }

  @Test
  void aNodeTakesItsIdBackFromAProcessThatIsSilentForALease() {
    first.redis(Command.SET, OWNER, "another 3");
    first.beat();
    putNow(first, "j");
    first.pass(EngineSettings.LEASE.minusSeconds(1));
    first.beat();
    first.step();
    assertEquals(List.of(), target.calls());

    first.pass(Duration.ofSeconds(2));
    first.beat();
    first.step();

    assertEquals(1, target.calls().size());
  }

  @Test
  void aNodeThatIsNotSilentKeepsTheId() {
    for (int beat = 3; beat < 6; beat++) {
      first.pass(EngineSettings.LEASE.plusSeconds(1));
      first.redis(Command.SET, OWNER, "another " + beat);
      first.beat();
    }
    putNow(first, "j");

    first.beat();
    first.step();

    assertEquals("another 5", first.redis(Command.GET, OWNER).toString());
    assertEquals(List.of(), target.calls());
  }

  @Test
  void whatNoProcessWroteTakesTheIdFromNobody() {
    first.redis(Command.SET, OWNER, "nonsense");
    first.beat();
    first.redis(Command.DEL, OWNER);
    first.redis(Command.LPUSH, OWNER, "a list");
    first.beat();
    putNow(first, "j");

    first.step();

    assertEquals(1, target.calls().size());
  }

  @Test
  void aNodeThatComesTakesItsShareWithTheNextHeartbeats() {
    try (Engine second = node("second", NodeRole.values())) {
      first.beat();

      List<Integer> ranks = record(second, "second").ranks();
      List<Integer> others = record(second, "first").ranks();
      assertEquals(PARTITIONS, ranks.get(0) + others.get(0));
      assertEquals(PARTITIONS, ranks.get(1) + others.get(1));
      assertTrue(ranks.get(0) > 0 && others.get(0) > 0, ranks + " " + others);
    }
  }

  @Test
  void aNodeThatOnlyServesTheApiTakesNoPartitionAndNoJob() {
    // The clock is ahead, or the other might come first, because its timer polls automatically.
    TestClock ahead = new TestClock(NOON.plusSeconds(30));
    try (Engine aside = node("aside", ahead, NodeRole.API)) {
      first.beat();
      putNow(aside, "j");

      aside.step();
      assertEquals(List.of(), target.calls());
      assertEquals(List.of(0, 0, 0, 0), record(first, "aside").ranks());
      assertEquals(List.of("api"), record(first, "aside").roles());
      assertEquals(State.ALIVE, member(first, "aside").state(clock.instant()));
      assertEquals(PARTITIONS, record(first, "first").ranks().get(0));

      clock.set(ahead.instant());
      first.step();
      assertEquals(1, target.calls().size());
    }
  }

  @Test
  void withoutAnyNodeThatMakesCallsTheLogSaysSo() {
    first.quiesce();
    first.close();
    RedisServer.shared().flush();
    try (LogCapture log = new LogCapture()) {
      first = node("aside", NodeRole.API);

      assertTrue(
          log.lines().stream().anyMatch(line -> line.contains("no node has the role")),
          log.lines()::toString);
    }
  }

  @Test
  void aNodeThatLeavesIsNoRankAndItsClaimsStayItsOwn() {
    target.hold();
    try (Engine second = node("second", NodeRole.values())) {
      putNow(first, "j");
      first.poll();
      target.awaitCalls(1);
      first.quiesce();
      second.beat();

      assertEquals(State.LEAVING, member(second, "first").state(clock.instant()));
      assertEquals(List.of(PARTITIONS, 0, 0, 0), record(second, "second").ranks());
      assertEquals(1, record(second, "first").inFlight());
      clock.set(NOON.plus(Duration.ofMinutes(2)));
      second.beat();
      assertEquals(1, first.claims());

      target.release();
      first.awaitIdle();
      assertEquals(JobState.COMPLETED, first.get("j").state());
      assertEquals(1, target.calls().size());
    }
  }

  @Test
  void theClaimsOfOneThatDiesWhileItLeavesAreTakenOver() {
    target.keepSilent();
    try (Engine second = node("second", NodeRole.values())) {
      putNow(first, "j");
      first.poll();
      target.awaitCalls(1);
      first.quiesce();
      second.beat();

      clock.set(NOON.plus(Duration.ofMinutes(4)));
      second.beat();
      clock.set(NOON.plus(Duration.ofMinutes(8)));
      second.beat();
      second.awaitNoClaimsOf("first");
      second.beat();

      assertEquals(State.DEAD, member(second, "first").state(clock.instant()));
      assertEquals(1, record(second, "second").takenOver());
    }
  }

  /** Simulates the moment when a new value of node.lease reaches one node after the other. */
  @Test
  void aNodeIsJudgedByItsOwnLease() {
    target.hold();
    putNow(first, "j");
    first.poll();
    target.awaitCalls(1);
    Settings shorter = EngineSettings.with("node.id=second", "node.heartbeat=30s", "node.lease=2m");
    try (Engine second = new Engine(RedisServer.shared(), "second", clock, shorter)) {
      clock.set(NOON.plus(EngineSettings.LEASE).minusSeconds(10));
      second.beat();
      second.look();
      assertEquals(1, first.claims());

      clock.set(NOON.plus(EngineSettings.LEASE).plusSeconds(10));
      second.beat();
      second.awaitNoClaimsOf("first");
    } finally {
      target.release();
    }
  }

  @Test
  void aDeadNodeWhoseRecordHasAnotherTypeIsTakenOver() {
    target.keepSilent();
    putNow(first, "j");
    first.poll();
    target.awaitCalls(1);
    try (Engine second = node("second", NodeRole.values())) {
      first.redis(Command.DEL, "carillon:node:first");
      first.redis(Command.SET, "carillon:node:first", "nonsense");

      clock.set(NOON.plus(Duration.ofMinutes(4)));
      second.beat();
      clock.set(NOON.plus(Duration.ofMinutes(8)));
      second.beat();

      second.awaitNoClaimsOf("first");
    }
  }

  @Test
  void aRedisThatHasLostItsDataIsToldAndKeepsTheNumberOfPartitions() {
    first.beat();
    first.redis(Command.DEL, "carillon:meta");
    try (LogCapture log = new LogCapture()) {
      first.beat();
      first.beat();

      List<String> told =
          log.lines().stream()
              .filter(line -> line.matches(".*Heartbeat Redis has lost carillon:meta.*"))
              .toList();
      assertEquals(1, told.size(), told::toString);
    }
    String partitions = first.redis(Command.HGET, "carillon:meta", "partitions").toString();
    assertEquals(Integer.toString(PARTITIONS), partitions);
  }

  @Test
  void aNodeClaimsNothingWhereRedisHasAnotherNumberOfPartitions() {
    first.beat();
    first.redis(Command.HSET, "carillon:meta", "partitions", "8");
    first.beat();
    putNow(first, "j");
    first.freeze();

    first.beat();
    first.step();

    assertEquals(List.of(), target.calls());
  }

  @Test
  void aClaimThatCannotBeTakenOverIsLoggedWithItsNodeAndPartition() {
    first.redis(Command.ZADD, "carillon:nodes", "" + NOON.toEpochMilli(), "dead");
    first.redis(Command.ACL, "SETUSER", "default", "-hrandfield");
    try (LogCapture log = new LogCapture()) {
      clock.set(NOON.plus(Duration.ofMinutes(4)));
      first.beat();
      clock.set(NOON.plus(Duration.ofMinutes(8)));
      first.beat();

      Await.until(
          "it is logged",
          () ->
              log.lines().stream()
                  .filter(line -> line.contains("claims of a dead node cannot be taken over"))
                  .anyMatch(line -> line.contains("deadNode=\"dead\", partition=\"3\"")));
    } finally {
      first.redis(Command.ACL, "SETUSER", "default", "+@all");
    }
  }

  @Test
  void aNodeThatSaysNothingOfItselfIsListedAllTheSame() {
    first.redis(Command.ZADD, "carillon:nodes", "" + NOON.toEpochMilli(), "older");
    first.redis(Command.ZADD, "carillon:idle", "" + NOON.toEpochMilli(), "strange");
    first.redis(Command.HSET, "carillon:node:strange", "version", "1", "started", "yesterday");

    assertEquals(State.UNKNOWN, member(first, "older").state(NOON));
    assertEquals(State.UNKNOWN, member(first, "strange").state(NOON));
  }

  @Test
  void aNodeThatIsGoneForLongIsForgottenWithItsRecord() {
    node("second", NodeRole.values()).close();
    first.beat();
    clock.set(NOON.plus(Duration.ofMinutes(20)));
    first.beat();
    clock.set(NOON.plus(Duration.ofMinutes(24)));
    first.beat();

    Await.until("the node is forgotten", () -> first.members().size() == 1);
    Await.until(
        "its record, too",
        () -> first.redis(Command.EXISTS, "carillon:node:second").toInteger() == 0);
  }

  /** Adds a node that is silent since noon, with a claim in each partition. */
  private void leaveClaims(String node) {
    first.redis(Command.ZADD, "carillon:nodes", "" + NOON.toEpochMilli(), node);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      first.redis(
          Command.HSET,
          "carillon:{" + partition + "}:claims:" + node,
          "run:default/default/default/j at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=1"
              + " crashes=0",
          NOON.toString());
    }
  }

  private boolean isListed(Engine seer, String id) {
    return seer.members().stream().anyMatch(member -> member.id().equals(id));
  }

  @Test
  void aNodeIsNotForgottenBeforeAllWhoCameBackFromAnOutageHaveTakenItsClaimsOver() {
    leaveClaims("gone");
    clock.set(NOON.plus(Duration.ofHours(1)));

    try (Engine second = node("second", NodeRole.values())) {
      for (int beat = 0; beat < 3; beat++) {
        first.beat();
      }
      assertTrue(isListed(first, "gone"), "the other has not waited for a lease yet");
      clock.advance(Duration.ofMinutes(3));
      second.beat();
      first.beat();
      second.beat();
      first.awaitNoClaimsOf("gone");

      Await.until(
          "the node is forgotten",
          () -> {
            first.beat();
            second.beat();
            return !isListed(first, "gone");
          });
    }
  }

  @Test
  void nobodyIsTakenForDeadBecauseRedisClockWasSet() {
    leaveClaims("other");
    clock.set(NOON.plus(Duration.ofMinutes(3)));
    first.beat();

    clock.step(Duration.ofMinutes(5));
    for (int beat = 0; beat < 3; beat++) {
      first.beat();
    }
    for (int partition = 0; partition < PARTITIONS; partition++) {
      String claims = "carillon:{" + partition + "}:claims:other";
      assertEquals(1, first.redis(Command.HLEN, claims).toInteger());
    }

    clock.advance(Duration.ofMinutes(3));
    first.beat();
    first.awaitNoClaimsOf("other");
  }

  @Test
  void nobodyIsTakenForDeadBecauseAHeartbeatTellsThatRedisClockWasSet() {
    leaveClaims("other");
    clock.set(NOON.plus(Duration.ofMinutes(3)));
    first.beat();

    clock.stepWhenTold(Duration.ofHours(1));
    for (int beat = 0; beat < 3; beat++) {
      first.beat();
    }

    assertEquals(1, first.redis(Command.HLEN, "carillon:{0}:claims:other").toInteger());
  }

  @Test
  void whoMakesNoCallsForgetsNobody() {
    first.close();
    first = node("aside", NodeRole.API);
    leaveClaims("gone");
    clock.set(NOON.plus(Duration.ofHours(1)));

    for (int beat = 0; beat < 3; beat++) {
      first.beat();
    }

    assertTrue(isListed(first, "gone"));
  }

  @Test
  void thousandsOfNodesAreListedPageByPage() {
    IntStream.range(0, 1000)
        .forEach(
            i -> first.redis(Command.ZADD, "carillon:nodes", "" + NOON.toEpochMilli(), "n" + i));

    int listed = 0;
    String after = "";
    boolean more = true;
    while (more) {
      String from = after;
      NodeStore.Page page = first.stores(all -> all.node().nodes().members(from, 0, 100));
      listed += page.members().size();
      assertTrue(page.members().size() <= 100);
      after = page.after().orElse("");
      more = page.after().isPresent();
    }

    assertEquals(1001, listed);
  }
}
