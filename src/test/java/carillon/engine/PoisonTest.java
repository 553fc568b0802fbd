package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of data that only a manual change or a bug can have written. It is moved out of the way,
 * and other jobs in the same partition continue.
 */
class PoisonTest extends EngineFixture {
  private static final Instant DUE = NOON.plusSeconds(10);

  private void put(String job) {
    engine.put(job, JobJson.post(target.url("/" + job)).noRetry().startTime(DUE).json());
  }

  private static String key(String kind, String job) {
    return Engine.slot(job) + kind + ":default/default/default/" + job;
  }

  private void assertCalled(String job) {
    assertEquals(1, target.calls("/" + job).size(), job);
    assertEquals(JobState.COMPLETED, engine.get(job).state());
  }

  /** Returns the name of a job in the same partition. */
  private static String neighbour(String job) {
    for (int i = 0; ; i++) {
      if (Engine.slot("n" + i).equals(Engine.slot(job))) {
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
    while (Engine.slot(other).equals(Engine.slot("a"))) {
      other += "b";
    }
    put(other);
    String member = entry.contains("%s") ? entry.formatted(other) : entry + other;
    engine.redis(Command.ZADD, Engine.slot("a") + "due", "1", member);

    engine.stepTo(DUE);
    engine.stepTo(DUE.plusSeconds(5));

    assertCalled("a");
    assertCalled(other);
    assertNull(engine.redis(Command.ZSCORE, Engine.slot("a") + "due", member));
    assertEquals(0, engine.claims());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ghost", "1 ghost", "1 a/b", "1 default/default/default/b"})
  void aFinishedJobThatMeansNothingGoesIntoQuarantine(String member) {
    put("a");
    assertNotEquals(Engine.slot("a"), Engine.slot("b"));
    engine.redis(Command.RPUSH, Engine.slot("a") + "finished", member);

    engine.stepTo(DUE);

    assertCalled("a");
    Await.until(
        "it is put aside",
        () -> engine.redis(Command.LPOS, Engine.slot("a") + "finished", member) == null);
    assertNotNull(engine.redis(Command.HGET, Engine.slot("a") + "quarantine", "purge:" + member));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "run:",
        "run:default/default/default/x at=yesterday occurrence=1 main=1 revision=1 crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=x crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=-5 crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00Z occurrence=-5 main=1 revision=1 crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00.000Z occurrence=1 main=1 revision=1 crashes=0",
        "run:default/default/default/x at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=1 crashes=0 x",
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
    engine.redis(Command.ZADD, Engine.slot("a") + "due", "1", member);

    engine.stepTo(DUE);
    engine.stepTo(DUE.plusSeconds(5));

    assertCalled("a");
    assertNull(engine.redis(Command.ZSCORE, Engine.slot("a") + "due", member));
    assertEquals(0, engine.claims());
  }

  /** A job with such a score is called immediately or not at all. Fsck finds the second kind. */
  @ParameterizedTest
  @ValueSource(strings = {"+inf", "-inf", "1e300", "-1e300", "9.3e18"})
  void aScoreThatIsNoInstantHoldsNoOtherJobBack(String score) {
    put("a");
    String other = neighbour("a");
    put(other);
    engine.redis(Command.ZADD, Engine.slot("a") + "due", score, "job:" + Engine.name("a").key());

    engine.look();
    engine.stepTo(DUE);

    assertCalled(other);
    assertEquals(0, engine.claims());
    engine.stores(all -> all.attempt().claims().backlog(DUE));
  }

  @ParameterizedTest
  @CsvSource({
    "revision, x, faulted",
    "next, soon, faulted",
    "created, long ago, faulted",
    "state, asleep, faulted",
    "occurrence, many, faulted",
    "definition, {, faulted",
    "definition, [], faulted",
    "name, nonsense, completed",
    "name, other/job, completed",
    "epoch, -1, completed",
    "epoch, 99999999999999999999, completed",
    "openExecutions, x, completed",
    "lastOccurrenceTaken, x, completed"
  })
  void aDamagedFieldOfAJobStopsThatJobAtMost(String field, String value, String state) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    engine.redis(Command.HSET, key("job", "a"), field, value);

    engine.stepTo(DUE);
    engine.stepTo(DUE.plusSeconds(5));

    assertCalled(beside);
    assertEquals(0, engine.claims());
    assertEquals(state, engine.redis(Command.HGET, key("job", "a"), "state").toString());
    assertEquals(state.equals("completed") ? 1 : 0, target.calls("/a").size());
    assertNotNull(
        engine.redis(
            Command.ZSCORE, Engine.slot("a") + "jobs:default/default/default", state + "/a"));
    assertNull(
        engine.redis(Command.ZSCORE, Engine.slot("a") + "due", "job:default/default/default/a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "", "5 x", "1 99999999999999999999"})
  void aFenceThatCannotBeReadStopsNothing(String fence) {
    put("a");
    engine.redis(Command.HSET, Engine.slot("a") + "epochs", "default/default/default", fence);

    engine.stepTo(DUE);

    assertCalled("a");
  }

  @Test
  void claimsOfAnotherTypeStopNothing() {
    String claims = Engine.slot("a") + "claims:node";
    put("a");
    engine.redis(Command.SET, claims, "x");
    int partition = Engine.KEYS.partition("default/default/default/a");

    engine.stores(
        stores -> stores.attempt().attempts().releaseUnknown(partition, known -> false, NOON));
    engine.stepTo(DUE);

    assertCalled("a");
    assertEquals("x", engine.redis(Command.GET, claims.replaceFirst(":", ":damaged:")).toString());
  }

  @Test
  void aRecurringJobWhoseOpenExecutionsAreDamagedCountsThemAnew() {
    engine.put(
        "a",
        JobJson.post(target.url("/a"))
            .noRetry()
            .startTime(DUE)
            .recurrence("{`frequency`:`second`,`interval`:5,`count`:2}")
            .json());
    engine.redis(Command.HSET, key("job", "a"), "openExecutions", "x");

    engine.stepTo(DUE);
    assertEquals(JobState.ENABLED, engine.get("a").state());
    engine.stepTo(DUE.plusSeconds(5));

    assertEquals(2, target.calls("/a").size());
    assertEquals(JobState.COMPLETED, engine.get("a").state());
  }

  @Test
  void theHistoryOfADamagedJobSaysSo() {
    put("a");
    engine.redis(Command.HSET, key("job", "a"), "next", "soon");

    engine.stepTo(DUE);

    assertEquals(JobState.FAULTED, engine.get("a").state());
    HistoryEntry entry = engine.history("a").get(0);
    assertEquals(HistoryEntry.Status.FAILED, entry.status());
    assertTrue(entry.message().startsWith("the stored job is damaged: "), entry::message);
    assertEquals(1, engine.redis(Command.HLEN, Engine.slot("a") + "quarantine").toInteger());
  }

  /**
   * A node writes such a value in another form, or not at all. So the claim in Redis never equals
   * the text with which the node would end it.
   */
  @ParameterizedTest
  @CsvSource({
    "revision, -5",
    "revision, 007",
    "revision, -0",
    "revision, x",
    "attemptRevision, -5",
    "attemptRevision, -0",
    "attemptRevision, ''",
    "next, 2026-11-20T12:00:10.000Z",
    "occurrence, 0",
    "occurrence, -0",
    "occurrence, -5",
    "occurrence, 007",
    "occurrence, 2147483648",
    "occurrence, 1795745434998",
    "occurrence, 9007199254740993",
    "occurrence, ''",
    "occurrence, 5 main=1 revision=1 crashes=0",
    "state, asleep",
    "created, long ago"
  })
  void theHistoryOfADamagedJobNamesTheField(String field, String value) {
    engine.put("a", JobJson.post(target.url("/a")).startTime(DUE).every("minute").json());
    engine.redis(Command.HSET, key("job", "a"), field, value);

    for (int i = 0; i < 3; i++) {
      engine.stepTo(DUE.plusSeconds(i * 60L));
    }

    assertEquals(0, target.calls("/a").size());
    assertEquals("faulted", engine.redis(Command.HGET, key("job", "a"), "state").toString());
    assertEquals(0, engine.claims());
    assertEquals(0, engine.redis(Command.ZCARD, Engine.slot("a") + "due").toInteger());
    String latest = engine.redis(Command.HGET, key("job", "a"), "latest").toString();
    assertTrue(latest.contains("the stored job is damaged: its field '" + field + "'"), latest);
  }

  @Test
  void aRetryOfADamagedJobIsNeverMade() {
    target.answer(503);
    engine.put("a", JobJson.post(target.url("/a")).fixedRetry("PT30S", 2).startTime(DUE).json());
    engine.stepTo(DUE);
    engine.redis(Command.HSET, key("job", "a"), "revision", "-5");

    engine.stepTo(DUE.plusSeconds(30));
    engine.stepTo(DUE.plusSeconds(60));

    assertEquals(1, target.calls("/a").size());
    assertEquals(JobState.FAULTED, engine.get("a").state());
    assertEquals(0, engine.claims());
  }

  @ParameterizedTest
  @ValueSource(strings = {"definition", "revision", "created", "state", "name"})
  void aJobWithoutAFieldHoldsNothingUp(String field) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    engine.redis(Command.HDEL, key("job", "a"), field);

    engine.stepTo(DUE);
    engine.stepTo(DUE.plusSeconds(5));

    assertCalled(beside);
    assertEquals(0, engine.claims());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job:default/default/default/a",
        "history:default/default/default/a",
        "jobs:default/default/default",
        "claims:node",
        "epochs",
        "list:collection:default/default/default",
        "quarantine"
      })
  void aKeyOfAnotherTypeIsMovedAside(String kind) {
    String beside = neighbour("a");
    put("a");
    put(beside);
    engine.redis(Command.DEL, Engine.slot("a") + kind);
    engine.redis(Command.SET, Engine.slot("a") + kind, "poison");

    clock.set(DUE);
    engine.poll();
    Await.until("the call", () -> target.calls("/" + beside).size() == 1);
    engine.stepTo(DUE.plusSeconds(5));

    assertEquals(JobState.COMPLETED, engine.get(beside).state());
    assertEquals(0, engine.claims());
  }

  @Test
  void streamsThatAcceptNoMoreEntriesAreMovedAside() {
    target.answer(500);
    for (String stream : List.of("outcomes", "audit")) {
      String last = "18446744073709551615-18446744073709551615";
      engine.redis(Command.XADD, Engine.slot("a") + stream, last, "a", "b");
    }

    put("a");
    engine.stepTo(DUE);

    assertEquals(JobState.FAULTED, engine.get("a").state());
    assertEquals(1, target.calls("/a").size());
    for (String stream : List.of("outcomes", "audit")) {
      assertEquals(1, engine.redis(Command.XLEN, Engine.slot("a") + stream).toInteger(), stream);
    }
  }

  @Test
  void anEntryOfTheListOfExecutionsThatMeansNothingHoldsNothingUp() {
    target.answer(500);
    engine.redis(Command.XADD, Engine.slot("a") + "outcomes", "1-1", "a", "b");

    put("a");
    engine.stepTo(DUE);

    assertEquals(JobState.FAULTED, engine.get("a").state());
    assertEquals(1, target.calls("/a").size());
  }

  @Test
  void aDueOfAnotherTypeIsMovedAsideAndWhatIsPutLaterRuns() {
    String beside = neighbour("a");
    put("a");
    engine.redis(Command.SET, Engine.slot("a") + "due", "poison");

    put(beside);
    engine.stepTo(DUE);

    assertCalled(beside);
    assertEquals(
        "poison",
        engine
            .redis(Command.GET, Engine.slot("a").replace("carillon:", "carillon:damaged:") + "due")
            .toString());
  }

  @Test
  void aRunThatIsInFlightEndsThoughItsJobHasTurnedIntoAnotherType() {
    target.hold();
    put("a");
    clock.set(DUE);
    engine.poll();
    target.awaitCalls(1);
    engine.redis(Command.SET, key("job", "a"), "poison");
    target.release();
    engine.awaitIdle();

    assertEquals(0, engine.claims());
    assertEquals(1, target.calls("/a").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes", "idle", "gates"})
  void aKeyOfAllNodesOfAnotherTypeDoesNotStopThem(String kind) {
    put("a");
    engine.redis(Command.DEL, "carillon:" + kind);
    engine.redis(Command.SET, "carillon:" + kind, "poison");

    engine.beat();
    engine.beat();
    clock.set(NOON.plusSeconds(9));
    engine.beat();
    engine.stepTo(DUE);

    assertCalled("a");
    if (!kind.equals("gates")) {
      assertEquals(
          "poison",
          engine.redis(Command.GET, "carillon:damaged:{carillon:" + kind + "}").toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "open since ever", "ajar", ""})
  void aDisabledMarkerThatMeansNothingIsForgotten(String entry) {
    engine.redis(Command.HSET, "carillon:gates", "default/default/x", entry);

    engine.beat();

    Await.until(
        "the marker is forgotten",
        () -> engine.redis(Command.EXISTS, "carillon:gates").toInteger() == 0);
  }

  @Test
  void anUnreadableClaimIsFoundAndPutAside() {
    put("a");
    engine.redis(Command.HSET, Engine.slot("a") + "claims:dead", "nonsense", DUE.toString());
    engine.redis(Command.ZADD, "carillon:nodes", "1", "dead");

    engine.beat();
    clock.advance(EngineSettings.LEASE.plusSeconds(1));
    engine.beat();
    clock.advance(Duration.ofSeconds(30));
    engine.beat();
    engine.step();
    engine.step();

    assertCalled("a");
    assertEquals(0, engine.claims());
  }
}
