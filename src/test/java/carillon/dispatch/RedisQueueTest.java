package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.HistoryEntry.Status;
import carillon.job.JobState;
import carillon.job.Run;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams and lists, filled by the real engine and read as a consumer reads them. */
class RedisQueueTest {
  private static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");
  private static final String STREAM = "carillon-queue:orders";
  private final RedisServer redis = RedisServer.shared();
  private final TestClock clock = new TestClock(T0);
  private Engine engine;

  @BeforeEach
  void start() {
    redis.flush();
    engine = new Engine(redis, "n1", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static String json(String text) {
    return text.replace('`', '"');
  }

  private void put(String job, String action) {
    engine.put(job, json("{`action`:" + action + "}"));
    engine.step();
  }

  private static String stream(String more) {
    return "{`type`:`redisStream`,`redisStream`:{`stream`:`orders`,`message`:`m`" + more + "}}";
  }

  private static String list(String side, int maxLength) {
    return "{`type`:`redisList`,`redisList`:{`list`:`orders`,`message`:`m`,`side`:`"
        + side
        + "`,`maxLength`:"
        + maxLength
        + "}}";
  }

  private String message(String job) {
    return engine.history(job).get(0).message();
  }

  private static Map<String, String> fields(Response entry) {
    Map<String, String> fields = new TreeMap<>();
    Response texts = entry.get(1);
    for (int i = 0; i + 1 < texts.size(); i += 2) {
      fields.put(texts.get(i).toString(), texts.get(i + 1).toString());
    }
    return fields;
  }

  @Test
  void aStreamsEntryTellsTheExecutionAndHoldsTheMessageAndTheFields() {
    put("j", stream(",`fields`:{`Kind`:`a`}"));

    Response entries = engine.redis(Command.XRANGE, STREAM, "-", "+");
    String execution = engine.history("j").get(0).execution();
    assertEquals(
        Map.of(
            "execution",
            execution,
            "collection",
            "default",
            "job",
            "j",
            "due",
            "2026-11-20T12:00:00Z",
            "message",
            "m",
            "Kind",
            "a"),
        fields(entries.get(0)));
    assertEquals(
        "Redis Stream Action - Added to 'orders' as " + entries.get(0).get(0) + ", entries: 1",
        message("j"));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aConsumerGroupReadsWhatJobsAdd() {
    put("j", stream(""));
    put("k", stream(""));
    engine.redis(Command.XGROUP, "CREATE", STREAM, "workers", "0");

    Response read =
        engine.redis(
            Command.XREADGROUP, "GROUP", "workers", "w1", "COUNT", "10", "STREAMS", STREAM, ">");

    Response entries = read.get(STREAM) != null ? read.get(STREAM) : read.get(0).get(1);
    assertEquals(2, entries.size());
  }

  @Test
  void aListsEntryIsOneLineOfJson() {
    put("j", list("left", 10));

    JsonObject entry = new JsonObject(engine.redis(Command.RPOP, STREAM).toString());
    assertEquals(
        new JsonObject()
            .put("execution", engine.history("j").get(0).execution())
            .put("collection", "default")
            .put("job", "j")
            .put("due", "2026-11-20T12:00:00Z")
            .put("message", "m"),
        entry);
    assertEquals("Redis List Action - Added to 'orders', entries: 1", message("j"));
  }

  @Test
  void aListKeepsItsLengthAndDropsTheOldest() {
    for (String side : List.of("left", "right")) {
      redis.ask("DEL " + STREAM);
      put(side + "1", list(side, 2));
      put(side + "2", list(side, 2));
      put(side + "3", list(side, 2));

      List<String> jobs =
          engine.redis(Command.LRANGE, STREAM, "0", "-1").stream()
              .map(entry -> new JsonObject(entry.toString()).getString("job"))
              .sorted()
              .toList();
      assertEquals(List.of(side + "2", side + "3"), jobs);
      assertEquals(
          "Redis List Action - Added to 'orders', entries: 2, oldest dropped: 1",
          message(side + "3"));
    }
  }

  @Test
  void aStreamKeepsAboutItsLength() {
    engine.close();
    engine = new Engine(redis, "n1", clock);
    for (int i = 0; i < 300; i++) {
      engine.put("j" + i, json("{`action`:" + stream(",`maxLength`:5") + "}"));
    }
    engine.step();

    int length = engine.redis(Command.XLEN, STREAM).toInteger();

    assertTrue(length >= 5 && length < 200, "length " + length);
  }

  @Test
  void anAttemptThatIsRepeatedAfterACrashAddsNothing() {
    put("j", stream(""));
    Run run =
        new Run(Engine.name("j").key(), T0, 1, Run.Phase.MAIN, 1, engine.get("j").revision(), 0);
    assertEquals(run.executionId(), engine.history("j").get(0).execution());

    // As if the node had died between the entry and the record of it: the same run waits again.
    engine.redis(
        Command.ZADD,
        "carillon:{" + Engine.KEYS.partition(run.job()) + "}:due",
        Long.toString(T0.toEpochMilli()),
        run.text());
    engine.redis(
        Command.HSET,
        "carillon:{" + Engine.KEYS.partition(run.job()) + "}:job:" + run.job(),
        "state",
        "enabled");
    engine.step();

    assertEquals(1, engine.redis(Command.XLEN, STREAM).toInteger());
    assertEquals(2, engine.history("j").size());
    assertEquals("Redis Stream Action - Added to 'orders' by an earlier attempt", message("j"));
  }

  @Test
  void theErrorActionOfAnExecutionAddsBesideTheMainAction() {
    engine.redis(Command.SET, "carillon-queue:taken", "x");
    put(
        "j",
        "{`type`:`redisList`,`redisList`:{`list`:`taken`,`message`:`m`},"
            + "`retryPolicy`:{`retryType`:`none`},`errorAction`:"
            + stream("")
            + "}");
    engine.step();

    assertEquals(Status.COMPLETED, engine.history("j").get(0).status());
    assertEquals(Status.FAILED, engine.history("j").get(1).status());
    assertEquals(
        "Redis List Action - Request to 'taken' failed: the key holds something else",
        engine.history("j").get(1).message());
    assertEquals(1, engine.redis(Command.XLEN, STREAM).toInteger());
  }

  @Test
  void whatIsRememberedIsBoundedAndExpires() {
    for (int i = 0; i < 20; i++) {
      put("j" + i, list("left", 10));
    }
    String ledger = "carillon-queue:{carillon-queue:orders}:added";

    engine.redis(
        Command.EVAL,
        "for i = 1, 9980 do redis.call('ZADD', KEYS[1], 1, 'old' .. i) end return 1",
        "1",
        ledger);
    put("last", list("left", 10));

    long expiry = engine.redis(Command.PTTL, ledger).toLong();

    assertEquals(10_000, engine.redis(Command.ZCARD, ledger).toInteger());
    assertTrue(expiry > 600_000_000 && expiry <= 604_800_000, "expiry " + expiry);
  }

  @Test
  void noQueueOfAJobIsAKeyOfCarillon() {
    put("j", stream(""));

    List<String> keys =
        engine.redis(Command.KEYS, "*").stream()
            .map(Response::toString)
            .filter(key -> !key.startsWith("carillon:"))
            .sorted()
            .toList();

    assertEquals(List.of(STREAM, "carillon-queue:{carillon-queue:orders}:added"), keys);
    assertFalse(Settings.defaults().redis().prefix().endsWith("-queue"));
  }
}
