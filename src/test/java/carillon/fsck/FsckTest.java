package carillon.fsck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.fsck.Finding.Outcome;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionDefinition.Quota;
import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage done by hand to a real Redis is found, repaired, and the jobs run afterwards. */
class FsckTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant LATER = START.plusSeconds(3600);
  private static final CollectionName BOUNDED = new CollectionName("default", "default", "bounded");
  private static final JobName PLACED = BOUNDED.job("placed");

  private final TestClock clock = new TestClock(START);
  private static CallbackServer target;
  private Engine engine;

  /** The Redis to run on. */
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
    engine.setState("off", JobState.DISABLED);
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
    engine.stores(s -> s.collections().put(name, definition, Precondition.NONE, START));
  }

  private void putPlaced() {
    engine.stores(
        s ->
            s.quota()
                .writing(PLACED, () -> Engine.put(s, PLACED, 0, Engine.definition(once(LATER)))));
  }

  private String once(Instant at) {
    return JobJson.get(target.url("/")).startTime(at).json();
  }

  private String daily() {
    return JobJson.get(target.url("/")).startTime(LATER).every("day").json();
  }

  private static String key(String what, String job) {
    String name = Engine.name(job).key();
    return "carillon:{" + Engine.KEYS.partition(name) + "}:" + what + ":" + name;
  }

  private static String job(String job) {
    return key("job", job);
  }

  private static String due(String job) {
    return "carillon:{" + Engine.KEYS.partition(Engine.name(job).key()) + "}:due";
  }

  private static String purges(String job) {
    return "carillon:{" + Engine.KEYS.partition(Engine.name(job).key()) + "}:purges";
  }

  private static String index(String job) {
    String key = key("jobs", job);
    return key.substring(0, key.lastIndexOf('/'));
  }

  private static String member(String kind, String job) {
    return kind + ":" + Engine.name(job).key();
  }

  /** What one run finds and does. */
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
  void anAttemptWithheldWithItsJobIsCounted() {
    target.answer(500);
    engine.put("held", once(START));
    engine.step();
    engine.setState("held", JobState.DISABLED);
    engine.stepTo(START.plusSeconds(30));
    target.answer(200);

    assertTrue(engine.redis(Command.HGET, job("held"), "withheld").toString().startsWith("run:"));
    assertEquals(List.of(), fsck(false).kinds());
  }

  @Test
  void theMarkOfADeletedJobIsNoFinding() {
    engine.redis(Command.HSET, job("gone"), "deleted", "1795176000000");

    assertEquals(List.of(), fsck(false).kinds());
  }

  /**
   * Damage.
   *
   * @param kinds what is to be found, in the order of {@link FindingKind}
   * @param commands that do it, each one line of words
   */
  record Damage(String name, List<String> kinds, List<String> commands) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Damage damage(String name, String kinds, String... commands) {
    return new Damage(name, List.of(kinds.split(" ")), List.of(commands));
  }

  private static final String RUN =
      " at=2026-11-20T12:00:00Z occurrence=0 main=1 revision=1 crashes=0";

  static Stream<Damage> damages() {
    String once = Engine.name("once").key();
    String ghost = Engine.name("ghost").key();
    String ghosts = "carillon:{" + Engine.KEYS.partition(ghost) + "}:";
    String otherPartition = "carillon:{" + (Engine.KEYS.partition(once) + 1) % 4 + "}:";
    String places = "carillon:places:{carillon:collection:default/default/bounded}";
    return Stream.of(
        damage("due entry gone", "not-due", "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "due entry of a recurring job gone",
            "not-due",
            "ZREM|" + due("daily") + "|" + member("job", "daily")),
        damage(
            "due at another instant",
            "wrong-instant",
            "ZADD|" + due("once") + "|99999999999999|" + member("job", "once")),
        damage(
            "due never", "wrong-instant", "ZADD|" + due("once") + "|inf|" + member("job", "once")),
        damage("no next", "no-next", "HDEL|" + job("daily") + "|next"),
        damage("unreadable next", "no-next", "HSET|" + job("daily") + "|next|soon"),
        damage(
            "nothing left to end it",
            "never-ends",
            "HSET|" + job("once") + "|exhausted|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage("no purge", "no-purge", "ZREM|" + purges("done") + "|" + Engine.name("done").key()),
        damage("too many open", "wrong-count", "HSET|" + job("once") + "|open|2"),
        damage(
            "run lost and still counted",
            "not-due",
            "HSET|" + job("once") + "|open|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "last run lost",
            "wrong-count",
            "HSET|" + job("once") + "|open|1|exhausted|1",
            "ZREM|" + due("once") + "|" + member("job", "once")),
        damage(
            "entry without job",
            "due-without-job",
            "ZADD|" + ghosts + "due|1795197600000|job:" + ghost),
        damage(
            "purge without job",
            "due-without-job",
            "ZADD|" + ghosts + "purges|1795197600000|" + ghost),
        damage(
            "purge of a job that lives",
            "due-without-job",
            "ZADD|" + purges("once") + "|9795197600000|" + Engine.name("once").key()),
        damage(
            "entry of a disabled job",
            "due-without-job",
            "ZADD|" + due("off") + "|9795197600000|" + member("job", "off")),
        damage(
            "overdue run without job",
            "run-without-job",
            "ZADD|" + ghosts + "due|1000|run:" + ghost + RUN),
        damage(
            "garbage in due", "unreadable", "ZADD|" + due("once") + "|9795197600000|what is this"),
        damage(
            "garbled run in due",
            "unreadable",
            "ZADD|" + due("once") + "|9795197600000|run:" + once + " at=x"),
        damage("not listed", "not-indexed", "ZREM|" + index("once") + "|enabled/once"),
        damage(
            "listed in another state",
            "wrong-index",
            "ZADD|" + index("once") + "|0|completed/once"),
        damage("listed out of order", "wrong-index", "ZADD|" + index("once") + "|7|enabled/once"),
        damage("listed without job", "wrong-index", "ZADD|" + index("ghost") + "|0|enabled/ghost"),
        damage("garbage in the list", "unreadable", "ZADD|" + index("once") + "|0|nonsense"),
        damage(
            "history without job",
            "history-without-job",
            "LPUSH|" + key("history", "ghost") + "|x"),
        damage("history lost", "wrong-history-size", "DEL|" + key("history", "done")),
        damage(
            "history not counted", "wrong-history-size", "HDEL|" + job("done") + "|historyBytes"),
        damage(
            "claims of an unknown node",
            "claims-of-nobody",
            "HSET|carillon:{0}:claims:nobody|run:" + ghost + RUN + "|2026-11-20T12:00:00Z"),
        damage("garbage in claims", "unreadable", "HSET|carillon:{0}:claims:a|junk|x"),
        damage(
            "held back by no disabled marker",
            "gated-for-ever",
            "ZADD|carillon:{0}:gated:default/default/default|5|run:" + ghost + RUN),
        damage("no place", "no-place", "ZREM|" + places + "|placed"),
        damage("place without job", "place-without-job", "ZADD|" + places + "|0|ghost"),
        damage("garbage in places", "unreadable", "ZADD|" + places + "|0|/"),
        damage(
            "collection gone",
            "no-collection listed-without-collection",
            "DEL|carillon:collection:default/default/default"),
        damage(
            "collection not listed",
            "not-listed",
            "ZREM|carillon:collections:default|default/default"),
        damage(
            "listed without collection",
            "listed-without-collection",
            "ZADD|carillon:collections:default|0|default/ghost"),
        damage(
            "disabled marker of an enabled collection",
            "wrong-gate",
            "HSET|carillon:gates|default/default/default|closed 2026-11-20T12:00:00Z"),
        damage(
            "disabled marker of no collection",
            "wrong-gate",
            "HSET|carillon:gates|default/default/ghost|closed 2026-11-20T12:00:00Z"),
        damage(
            "wrong bound",
            "wrong-limits",
            "HSET|carillon:collection:default/default/bounded|maxJobs|99"),
        damage(
            "fence that nobody takes down",
            "remains",
            "HSET|carillon:{1}:epochs|default/default/ghost|3 3"),
        damage(
            "list of dead jobs that nobody sweeps",
            "remains",
            "ZADD|carillon:{1}:dead:default/default/ghost@4|0|enabled/x"),
        damage(
            "collection that nobody buries",
            "remains",
            "HSET|carillon:collection:default/default/ghost|deleting|2026-11-20T12:00:00Z"
                + "|revision|5|epoch|6"),
        damage(
            "job in the wrong partition",
            "wrong-partition",
            "HSET|" + otherPartition + "job:" + once + "|revision|1|state|enabled|definition|{}"),
        damage("definition cut short", "unreadable", "HSET|" + job("once") + "|definition|{\"act"),
        damage("half a job", "unreadable", "HSET|" + job("ghost") + "|open|1"),
        damage(
            "unreadable counters", "unreadable", "HSET|" + job("daily") + "|failures|many|last|x"),
        damage("due is a text", "wrong-type", "DEL|" + due("once"), "SET|" + due("once") + "|x"),
        damage("job is a list", "wrong-type", "LPUSH|" + job("ghost") + "|x"),
        damage(
            "index is a text", "wrong-type", "DEL|" + index("once"), "SET|" + index("once") + "|x"),
        damage(
            "history is a text",
            "wrong-type",
            "DEL|" + key("history", "done"),
            "SET|" + key("history", "done") + "|x"),
        damage("disabled markers are a text", "wrong-type", "SET|carillon:gates|x"));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void eachDamageIsFoundAndRepaired(Damage damage) {
    assertEquals(List.of(), fsck(false).lines, "before");
    // Its lease is over: it would mend some of the damage itself, with its next poll.
    engine.freeze();
    for (String command : damage.commands) {
      String[] words = command.split("\\|");
      engine.redis(Command.create(words[0]), Stream.of(words).skip(1).toArray(String[]::new));
    }

    Run found = fsck(false);
    Run again = fsck(false);
    Run repaired = fsck(true);
    Run clean = fsck(true);

    assertEquals(damage.kinds, found.kinds(), () -> "" + found.lines);
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
  void whatIsPutAwayKeepsItsContent() {
    engine.freeze();
    engine.redis(Command.HSET, job("once"), "definition", "{\"act");

    fsck(true);

    String away = job("once").replace("carillon:", "carillon:lost:");
    assertEquals("{\"act", engine.redis(Command.HGET, away, "definition").toString());
    assertEquals(0, engine.redis(Command.EXISTS, job("once")).toInteger());
  }

  @Test
  void aSecretInClearIsFoundAndLeftToTheNodes() {
    String definition = engine.redis(Command.HGET, job("once"), "definition").toString();
    String clear = ",\"headers\":{\"Accept\":\"b\",\"X-Api-Key\":\"canary\"}";
    engine.redis(
        Command.HSET,
        job("once"),
        "definition",
        definition.replaceFirst("\"method\":\"GET\"", "$0" + clear));

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
    String key = "carillon:{" + Engine.KEYS.partition(Engine.name("ghost").key()) + "}:claims:";
    engine.redis(Command.HSET, key + "leaver", run, START.toString());
    engine.redis(Command.ZADD, "carillon:bystanders", "" + START.toEpochMilli(), "leaver");

    assertEquals(List.of(), fsck(false).lines);
    engine.redis(Command.ZREM, "carillon:bystanders", "leaver");
    assertEquals(List.of("claims-of-nobody"), fsck(false).kinds());
  }
}
