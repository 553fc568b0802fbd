package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.HistoryEntry;
import carillon.job.JobState;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data that only a hand or a bug can have written: it gets out of the way, and what is beside it in
 * the same partition goes on.
 */
class PoisonTest {
  private static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant DUE = T0.plusSeconds(10);

  private final TestClock clock = new TestClock(T0);
  private CallbackServer target;
  private Engine node;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    target = new CallbackServer();
    node = new Engine(RedisServer.shared(), "a", clock);
  }

  @AfterEach
  void stop() {
    node.close();
    target.close();
  }

  private void put(String job) {
    node.put(job, JobJson.post(target.url("/" + job)).noRetry().startTime(DUE).json());
  }

  /** The beginning of the keys of the job's partition. */
  private static String slot(String job) {
    return "carillon:{" + Engine.KEYS.partition(Engine.name(job).key()) + "}:";
  }

  private static String key(String kind, String job) {
    return slot(job) + kind + ":default/default/default/" + job;
  }

  private void assertCalled(String job) {
    assertEquals(1, target.calls("/" + job).size(), job);
    assertEquals(JobState.COMPLETED, node.get(job).state());
  }

  /** A job of the same partition. */
  private static String neighbour(String job) {
    for (int i = 0; ; i++) {
      if (slot("n" + i).equals(slot(job))) {
        return "n" + i;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job:default/default/default/",
        "run:default/default/default/%s at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=1 crashes=0"
      })
  void anEntryOfAnotherPartitionsJobGoesAway(String entry) {
    put("a");
    String other = "b";
    while (slot(other).equals(slot("a"))) {
      other += "b";
    }
    put(other);
    String member = entry.contains("%s") ? entry.formatted(other) : entry + other;
    node.redis(Command.ZADD, slot("a") + "due", "1", member);

    node.stepTo(DUE);
    node.stepTo(DUE.plusSeconds(5));

    assertCalled("a");
    assertCalled(other);
    assertNull(node.redis(Command.ZSCORE, slot("a") + "due", member));
    assertEquals(0, node.claims());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ghost", "a/b", "default/default/default/b"})
  void aFinishedJobThatMeansNothingGoesIntoQuarantine(String member) {
    put("a");
    assertNotEquals(slot("a"), slot("b"));
    node.redis(Command.ZADD, slot("a") + "purges", "1", member);

    node.stepTo(DUE);

    assertCalled("a");
    assertNull(node.redis(Command.ZSCORE, slot("a") + "purges", member));
    assertNotNull(node.redis(Command.HGET, slot("a") + "quarantine", "purge:" + member));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "run:",
        "run:default/default/default/x at=yesterday occurrence=1 main=1 revision=1 crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=x crashes=0",
        "run:default/default/default/x",
        "job:no-slashes",
        "job: default",
        "purge:ghost",
        "purge:a/b",
        "run:ghost at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=1 crashes=0",
        "foo:default/default/default/a"
      })
  void anEntryOfDueThatMeansNothingGoesIntoQuarantine(String member) {
    put("a");
    node.redis(Command.ZADD, slot("a") + "due", "1", member);

    node.stepTo(DUE);
    node.stepTo(DUE.plusSeconds(5));

    assertCalled("a");
    assertNull(node.redis(Command.ZSCORE, slot("a") + "due", member));
    assertEquals(0, node.claims());
  }

  @ParameterizedTest
  @CsvSource({
    "revision, x",
    "next, soon",
    "created, long ago",
    "state, asleep",
    "occurrence, many",
    "open, x",
    "definition, {",
    "definition, []"
  })
  void aDamagedFieldOfAJobFaultsThatJobAlone(String field, String value) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    node.redis(Command.HSET, key("job", "a"), field, value);

    node.stepTo(DUE);
    node.stepTo(DUE.plusSeconds(5));

    assertCalled(beside);
    assertEquals(0, node.claims());
    String state = node.redis(Command.HGET, key("job", "a"), "state").toString();
    assertTrue(
        List.of("faulted", "completed", "asleep").contains(state), () -> field + " " + state);
    assertNull(node.redis(Command.ZSCORE, slot("a") + "due", "job:default/default/default/a"));
  }

  @Test
  void theHistoryOfADamagedJobSaysSo() {
    put("a");
    node.redis(Command.HSET, key("job", "a"), "next", "soon");

    node.stepTo(DUE);

    assertEquals(JobState.FAULTED, node.get("a").state());
    HistoryEntry entry = node.history("a").get(0);
    assertEquals(HistoryEntry.Status.FAILED, entry.status());
    assertTrue(entry.message().startsWith("the stored job is damaged: "), entry::message);
    assertEquals(1, node.redis(Command.HLEN, slot("a") + "quarantine").toInteger());
  }

  @ParameterizedTest
  @ValueSource(strings = {"definition", "revision", "created", "state", "name"})
  void aJobWithoutAFieldHoldsNothingUp(String field) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    node.redis(Command.HDEL, key("job", "a"), field);

    node.stepTo(DUE);
    node.stepTo(DUE.plusSeconds(5));

    assertCalled(beside);
    assertEquals(0, node.claims());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job:default/default/default/a",
        "history:default/default/default/a",
        "jobs:default/default/default",
        "claims:a",
        "epochs",
        "gated:default/default/default",
        "quarantine"
      })
  void aKeyOfAnotherTypeIsMovedAside(String kind) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    node.redis(Command.DEL, slot("a") + kind);
    node.redis(Command.SET, slot("a") + kind, "poison");

    clock.set(DUE);
    node.look();
    Await.until("the call", () -> target.calls("/" + beside).size() == 1);
    node.stepTo(DUE.plusSeconds(5));

    assertEquals(JobState.COMPLETED, node.get(beside).state());
    assertEquals(0, node.claims());
  }

  @Test
  void aDueOfAnotherTypeIsMovedAsideAndWhatIsPutLaterRuns() {
    String beside = neighbour("a");
    put("a");
    node.redis(Command.SET, slot("a") + "due", "poison");

    put(beside);
    node.stepTo(DUE);

    assertCalled(beside);
    assertEquals(
        "poison",
        node.redis(Command.GET, slot("a").replace("carillon:", "carillon:lost:") + "due")
            .toString());
  }

  @Test
  void aRunThatIsInFlightEndsThoughItsJobHasTurnedIntoAnotherType() {
    target.hold();
    put("a");
    clock.set(DUE);
    node.look();
    target.awaitCalls(1);
    node.redis(Command.SET, key("job", "a"), "poison");
    target.release();
    node.awaitIdle();

    assertEquals(0, node.claims());
    assertEquals(1, target.calls("/a").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes", "bystanders", "gates"})
  void aKeyOfAllNodesOfAnotherTypeDoesNotStopThem(String kind) {
    put("a");
    node.redis(Command.DEL, "carillon:" + kind);
    node.redis(Command.SET, "carillon:" + kind, "poison");

    node.beat();
    node.beat();
    clock.set(T0.plusSeconds(9));
    node.beat();
    node.stepTo(DUE);

    assertCalled("a");
    if (!kind.equals("gates")) {
      assertEquals(
          "poison", node.redis(Command.GET, "carillon:lost:{carillon:" + kind + "}").toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "open since ever", "ajar", ""})
  void aGateThatMeansNothingIsForgotten(String entry) {
    node.redis(Command.HSET, "carillon:gates", "default/default/x", entry);

    node.beat();

    Await.until(
        "the gate is forgotten",
        () -> node.redis(Command.EXISTS, "carillon:gates").toInteger() == 0);
  }

  @Test
  void anUnreadableClaimIsFoundAndPutAside() {
    put("a");
    node.redis(Command.HSET, slot("a") + "claims:dead", "nonsense", DUE.toString());
    node.redis(Command.ZADD, "carillon:nodes", "1", "dead");

    node.beat();
    clock.advance(EngineSettings.LEASE.plusSeconds(1));
    node.beat();
    clock.advance(Duration.ofSeconds(30));
    node.beat();
    node.step();
    node.step();

    assertCalled("a");
    assertEquals(0, node.claims());
  }
}
