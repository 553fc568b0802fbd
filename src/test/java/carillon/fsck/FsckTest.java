package carillon.fsck;

import static carillon.fsck.FsckDamages.RUN;
import static carillon.fsck.FsckDamages.due;
import static carillon.fsck.FsckDamages.index;
import static carillon.fsck.FsckDamages.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowName;
import carillon.fsck.Finding.Outcome;
import carillon.fsck.FsckDamages.Damage;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.view.FlowCodec;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of damage done by hand to a real Redis: fsck finds and repairs it, and the jobs run
 * afterwards.
 */
@Tag("redis")
class FsckTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant LATER = START.plusSeconds(3600);
  private static final CollectionName BOUNDED = new CollectionName("default", "default", "bounded");
  private static final JobName PLACED = BOUNDED.job("placed");

  private final TestClock clock = new TestClock(START);
  private static CallbackServer target;
  private Engine engine;

  /** Returns the Redis to run on. */
  TestRedis redis() {
    return RedisServer.shared();
  }

  @BeforeAll
  static void start() {
    target = new CallbackServer();
  }

  @BeforeEach
  void fill() {
    redis().flush();
    target.forget();
    engine = new Engine(redis().setup(), "a", clock);
    make(Engine.COLLECTION, CollectionDefinition.PLAIN);
    make(BOUNDED, bounded());
    engine.put("once", once(LATER));
    engine.put("daily", daily());
    engine.put("done", once(START));
    engine.put("off", once(LATER));
    engine.put("free", free());
    engine.redis(Command.SADD, FsckDamages.uses("free"), Engine.name("free").key());
    engine.setState("off", JobState.DISABLED);
    engine.put("paused", once(LATER));
    engine.pause("paused", "vendor down", clock.instant().plusSeconds(3600));
    putPlaced();
    engine.step();
    assertEquals(1, target.calls().size());
  }

  @AfterEach
  void stopEngine() {
    engine.close();
  }

  @AfterAll
  static void stop() {
    target.close();
  }

  private static CollectionDefinition bounded() {
    return new CollectionDefinition(
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        CollectionDefinition.State.ENABLED,
        Optional.of(new Quota(OptionalInt.of(3), OptionalInt.empty(), Optional.empty())));
  }

  private void make(CollectionName name, CollectionDefinition definition) {
    engine.stores(
        s -> s.collection().collections().put(name, definition, Precondition.NONE, START));
  }

  private void putPlaced() {
    engine.stores(
        s ->
            s.collection()
                .jobQuota()
                .writing(PLACED, () -> Engine.put(s, PLACED, 0, Engine.definition(once(LATER)))));
  }

  private String once(Instant at) {
    return JobJson.get(target.url("/")).startTime(at).json();
  }

  private String daily() {
    return JobJson.get(target.url("/")).startTime(LATER).every("day").json();
  }

  private String free() {
    return JobJson.get(target.url("/"))
        .startTime(LATER)
        .every("day")
        .with("calendars", Map.of("exclude", "Holidays"))
        .json();
  }

  /** Findings and output of one run. */
  private record Run(FsckReport report, List<String> lines) {
    List<String> kinds() {
      return new TreeSet<>(report.found().keySet()).stream().map(FindingKind::word).toList();
    }
  }

  private Run fsck(boolean isRepairing) {
    List<String> lines = new ArrayList<>();
    FsckReport report =
        engine.stores(
            s ->
                new Fsck(
                        s,
                        Engine.KEYS,
                        clock,
                        new Fsck.Options(isRepairing, Duration.ofMillis(5), Duration.ofDays(60)),
                        (finding, outcome) -> lines.add(outcome + " " + finding))
                    .run());
    return new Run(report, lines);
  }

  @Test
  void anAttemptHeldWithItsJobIsCounted() {
    target.answer(500);
    engine.put("held", once(START));
    engine.step();
    engine.setState("held", JobState.DISABLED);
    engine.stepTo(START.plusSeconds(30));
    target.answer(200);

    assertTrue(
        engine.redis(Command.HGET, job("held"), "heldAttempt").toString().startsWith("run:"));
    assertEquals(List.of(), fsck(false).kinds());
  }

  /** Misses occurrences, which are made up in turn: the first ran, the others wait. */
  private void missOccurrences() {
    engine.put(
        "j",
        JobJson.get(target.url("/"))
            .startTime(START.plusSeconds(60))
            .every("minute")
            .with("missed", new JsonObject().put("run", "all").put("pace", "PT10S"))
            .json());
    engine.stepTo(START.plusSeconds(600));
    assertEquals(Optional.of(START.plusSeconds(120)), engine.get("j").next());
  }

  @Test
  void whatWasMissedAndWaitsForItsTurnIsNoFinding() {
    missOccurrences();

    assertEquals(List.of(), fsck(false).kinds());

    engine.redis(
        Command.ZADD,
        due("j"),
        String.valueOf(LATER.toEpochMilli()),
        "job:" + Engine.name("j").key());
    assertEquals(List.of("wrong-instant"), fsck(false).kinds());
  }

  @Test
  void whatWaitsForItsTurnByAClockThatWasSetBackIsNoFinding() {
    missOccurrences();

    clock.set(START.plusSeconds(90));

    assertEquals(List.of(), fsck(false).kinds());
  }

  @Test
  void whatWaitsForAFlowByItsPriorityIsNoFinding() {
    FlowName crm = new FlowName("default", "default", "crm");
    FlowPause pause = new FlowPause(START, "test", Optional.empty(), Optional.empty());
    byte[] unlimited = "{}".getBytes(StandardCharsets.UTF_8);
    engine.stores(
        s ->
            s.resource()
                .flows()
                .put(
                    crm,
                    FlowCodec.read(unlimited, crm),
                    Optional.of(pause),
                    Precondition.NONE,
                    clock.instant()));
    engine.lookAtFlows();
    Instant soon = clock.instant().plusSeconds(1);
    engine.put(
        "j",
        JobJson.get(target.url("/"))
            .startTime(soon)
            .with("priority", -10)
            .json()
            .replace("\"action\":{", "\"action\":{\"flow\":\"crm\","));
    engine.stepTo(soon);
    Await.until(
        "it waits",
        () -> engine.stores(s -> s.resource().flows().state(crm, clock.instant())).waiting() == 1);

    assertEquals(List.of(), fsck(false).kinds());
  }

  @Test
  void theMarkOfADeletedJobIsNoFinding() {
    engine.redis(Command.HSET, job("gone"), "deleted", "1795176000000");

    assertEquals(List.of(), fsck(false).kinds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ghost", "once"})
  void aListedJobThatDoesNotNameTheCalendarIsNoFindingButGoesWithARepair(String job) {
    engine.freeze();
    engine.redis(Command.SADD, FsckDamages.uses(job), Engine.name(job).key());

    assertEquals(List.of(), fsck(false).lines);
    assertEquals(List.of("calendar-entry-without-job"), fsck(true).kinds());
    assertEquals(List.of(), fsck(true).lines);
  }

  static Stream<Damage> damages() {
    return FsckDamages.all();
  }

  @ParameterizedTest
  @MethodSource("damages")
  void eachDamageIsFoundAndRepaired(Damage damage) {
    assertEquals(List.of(), fsck(false).lines, "before");
    // The lease is over. Otherwise the node would repair some of the damage with its next poll.
    engine.freeze();
    for (String command : damage.commands()) {
      String[] words = command.split("\\|");
      engine.redis(Command.create(words[0]), Stream.of(words).skip(1).toArray(String[]::new));
    }

    Run found = fsck(false);
    Run again = fsck(false);
    Run repaired = fsck(true);
    Run clean = fsck(true);

    assertEquals(damage.kinds(), found.kinds(), () -> "" + found.lines);
    assertEquals(found.lines, again.lines, "a look changes nothing");
    assertEquals(0, repaired.report.left(), () -> "" + repaired.lines);
    assertEquals(List.of(), clean.lines, "after");
    assertTrue(found.lines.stream().allMatch(line -> line.startsWith(Outcome.FOUND.name())));
  }

  @Test
  void repairedJobsRun() {
    engine.redis(Command.DEL, due("once"));
    engine.redis(Command.DEL, due("daily"));
    engine.redis(Command.DEL, index("once"));
    engine.redis(Command.HDEL, job("daily"), "next");
    assertTrue(fsck(true).report.left() == 0);

    engine.stepTo(LATER);

    assertEquals(JobState.COMPLETED, engine.get("once").state());
    assertEquals(LATER.plus(Duration.ofDays(1)), engine.get("daily").next().orElseThrow());
    assertEquals(1, engine.history("daily").size());
    assertEquals(List.of(), fsck(false).lines);
  }

  @Test
  void theNextOccurrenceOfAJobWithATimeZoneComesBackWithItsLocalTime() {
    JobJson job = JobJson.get(target.url("/")).startTime("2027-03-28T02:30:00").every("day");
    engine.put("zoned", job.with("timeZone", "Europe/Berlin").json());
    engine.redis(Command.DEL, due("zoned"));
    engine.redis(Command.HDEL, job("zoned"), "next", "local");

    assertEquals(0, fsck(true).report.left());

    assertEquals(
        "2027-03-28T02:30+01:00", engine.redis(Command.HGET, job("zoned"), "local").toString());
    assertEquals(List.of(), fsck(false).lines);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "carillon:notices",
        "carillon:{1}:audit",
        "carillon:{1}:jobs:default/default/c",
        "carillon:{1}:job:default/default/c/j"
      })
  void whatIsDamagedAgainIsFoundAndRepairedAgain(String key) {
    engine.freeze();
    for (String text : List.of("first", "second", "third")) {
      engine.redis(Command.DEL, key);
      engine.redis(Command.SET, key, text);
      assertEquals(List.of("wrong-type"), fsck(false).kinds(), text);
      assertEquals(0, fsck(true).report.left());
      assertEquals(List.of(), fsck(false).kinds(), text);
    }

    String away = Engine.KEYS.damaged(key);
    assertEquals("first", engine.redis(Command.GET, away).toString());
    assertEquals("second", engine.redis(Command.GET, away + ":2").toString());
    assertEquals("third", engine.redis(Command.GET, away + ":3").toString());
  }

  @Test
  void aJobThatIsDamagedAgainIsPutAwayAgain() {
    engine.freeze();
    String away = Engine.KEYS.damaged(job("once"));
    engine.redis(Command.HSET, away, "definition", "older");
    engine.redis(Command.HSET, job("once"), "definition", "{\"act");

    assertEquals(0, fsck(true).report.left());

    assertEquals("older", engine.redis(Command.HGET, away, "definition").toString());
    assertEquals("{\"act", engine.redis(Command.HGET, away + ":2", "definition").toString());
    assertEquals(List.of(), fsck(false).kinds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "definition", "revision", "epoch", "created", "modified"})
  void aDamagedFieldOfACollectionIsFoundAndLeft(String field) {
    engine.freeze();
    engine.redis(Command.HSET, Engine.KEYS.collection(BOUNDED), field, "nonsense");

    Run found = fsck(false);

    assertEquals(List.of("unreadable"), found.kinds(), () -> "" + found.lines);
    assertEquals(1, fsck(true).report.left());
  }

  @Test
  void whatIsPutAwayKeepsItsContent() {
    engine.freeze();
    engine.redis(Command.HSET, job("once"), "definition", "{\"act");

    fsck(true);

    String away = job("once").replace("carillon:", "carillon:damaged:");
    assertEquals("{\"act", engine.redis(Command.HGET, away, "definition").toString());
    assertEquals(0, engine.redis(Command.EXISTS, job("once")).toInteger());
  }

  private String pushedHistory() {
    String history = job("done").replace(":job:", ":history:");
    engine.redis(Command.LPUSH, history, "what was");
    return history;
  }

  private void assertPutAway(String history) {
    assertEquals(0, engine.redis(Command.EXISTS, history).toInteger());
    assertEquals(
        "what was", engine.redis(Command.LINDEX, Engine.KEYS.damaged(history), "0").toString());
    assertEquals(List.of(), fsck(false).lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HSET|%s|definition|x", "SET|%s|x"})
  void theHistoryOfAJobThatIsPutAwayIsKept(String damage) {
    engine.freeze();
    String history = pushedHistory();
    engine.redis(Command.HSET, job("done"), "historyBytes", "8");
    String[] words = damage.formatted(job("done")).split("\\|");
    engine.redis(Command.create(words[0]), Stream.of(words).skip(1).toArray(String[]::new));

    fsck(true);
    fsck(true);

    assertPutAway(history);
  }

  /** The history belongs to a job whose key held another type when the job was put anew. */
  @Test
  void aHistoryThatItsJobDoesNotCountIsKept() {
    engine.freeze();
    String history = pushedHistory();

    fsck(true);

    assertPutAway(history);
  }

  @Test
  void aFlowThatIsPutAwayKeepsItsText() {
    engine.freeze();
    engine.redis(Command.HSET, "carillon:flows", "revision", "7", "default/default/f", "x");
    fsck(true);
    engine.redis(Command.HSET, "carillon:flows", "default/default/f", "y");
    fsck(true);

    String away = "carillon:damaged:{carillon:flows}:default/default/f";
    assertEquals("x", engine.redis(Command.GET, away).toString());
    assertEquals("y", engine.redis(Command.GET, away + ":2").toString());
    assertEquals("9", engine.redis(Command.HGET, "carillon:flows", "revision").toString());
  }

  @ParameterizedTest
  @CsvSource({
    "revision, -1",
    "epoch, -1",
    "revision, 99999999999999999999",
    "epoch, 9007199254740993",
  })
  void aNumberOfACollectionThatNobodyWritesIsFoundAndLeft(String field, String value) {
    engine.freeze();
    engine.redis(Command.HSET, Engine.KEYS.collection(BOUNDED), field, value);

    assertEquals(List.of("unreadable"), fsck(false).kinds());
    assertEquals(1, fsck(true).report.left());
  }

  @Test
  void aSecretInClearIsFoundAndLeftToTheNodes() {
    String definition = engine.redis(Command.HGET, job("once"), "definition").toString();
    String clear = ",\"headers\":{\"Accept\":\"b\",\"X-Api-Key\":\"canary\"}";
    engine.redis(
        Command.HSET,
        job("once"),
        "definition",
        definition.replaceFirst("\"uri\":\"[^\"]*\"", "$0" + clear));

    Run found = fsck(false);
    Run left = fsck(true);

    assertEquals(List.of("secret-in-clear"), found.kinds(), () -> "" + found.lines);
    assertTrue(found.lines.get(0).contains("action.request.headers.x-api-key"));
    assertFalse(found.lines.get(0).contains("canary"));
    assertEquals(1, left.report.left());
  }

  @Test
  void claimsOfANodeThatStopsAreNoFinding() {
    engine.freeze();
    String run = "run:" + Engine.name("ghost").key() + RUN;
    String key = Engine.slot("ghost") + "claims:";
    engine.redis(Command.HSET, key + "leaver", run, START.toString());
    engine.redis(Command.ZADD, "carillon:idle", "" + START.toEpochMilli(), "leaver");

    assertEquals(List.of(), fsck(false).lines);
    engine.redis(Command.ZREM, "carillon:idle", "leaver");
    assertEquals(List.of("claims-of-nobody"), fsck(false).kinds());
  }
}
