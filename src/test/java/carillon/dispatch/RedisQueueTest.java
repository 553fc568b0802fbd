package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.Attempt;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionName;
import carillon.job.HistoryEntry.Status;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.RedisListCall;
import carillon.store.collection.RedisQueueStore;
import carillon.support.Engine;
import carillon.support.EngineSettings;
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
  private static final String STREAM = "carillon-queue:{default}/orders";
  private static final String QUEUES = "carillon-queue:{default}:queues";
  private static final String LENGTHS = "carillon-queue:{default}:lengths:orders";

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
            "subscription",
            "default",
            "group",
            "default",
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
            .put("subscription", "default")
            .put("group", "default")
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
  void collectionsOfTheSameNameDoNotMeetInAQueueOfTheSameName() {
    CollectionName other = new CollectionName("Sub", "default", "default");
    put("j", list("left", 10));
    engine.put(other.job("j"), json("{`action`:" + list("left", 1) + "}"));
    engine.put(
        new CollectionName("default", "default", "sub").job("j"),
        json("{`action`:" + list("left", 1) + "}"));
    engine.step();

    assertEquals(1, engine.redis(Command.LLEN, STREAM).toInteger());
    JsonObject theirs =
        new JsonObject(
            engine.redis(Command.RPOP, "carillon-queue:{sub/default/default}/orders").toString());
    assertEquals("sub", theirs.getString("subscription"));
    assertEquals("default", theirs.getString("group"));
    assertEquals(1, engine.redis(Command.LLEN, "carillon-queue:{sub}/orders").toInteger());
  }

  @Test
  void noJobDropsWhatTheLengthOfAnotherKeeps() {
    for (int i = 1; i <= 3; i++) {
      put("long" + i, list("left", 3));
    }

    put("short", list("left", 1));

    assertEquals(3, engine.redis(Command.LLEN, STREAM).toInteger());
    assertEquals(
        "Redis List Action - Added to 'orders', entries: 3, oldest dropped: 1", message("short"));
  }

  @Test
  void aQueueThatIsEmptyForgetsTheLengthsOfItsJobs() {
    put("long", list("left", 3));
    engine.redis(Command.DEL, STREAM);

    put("short1", list("left", 1));
    put("short2", list("left", 1));

    assertEquals(1, engine.redis(Command.LLEN, STREAM).toInteger());
  }

  @Test
  void ofManyJobsThatFillOneQueueTheLongestLengthsAreKnown() {
    put("long", list("left", 9));
    engine.redis(
        Command.EVAL,
        "for i = 1, 300 do redis.call('ZADD', KEYS[1], 2, 'old' .. i) end return 1",
        "1",
        LENGTHS);

    put("short", list("left", 1));

    assertEquals(256, engine.redis(Command.ZCARD, LENGTHS).toInteger());
    assertEquals(9, engine.redis(Command.ZSCORE, LENGTHS, "long").toInteger());
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
    Attempt attempt =
        new Attempt(
            Engine.name("j").key(), T0, 1, Attempt.Phase.MAIN, 1, engine.get("j").revision(), 0);
    assertEquals(attempt.executionId(), engine.history("j").get(0).execution());

    // As if the node had died between the entry and the record of it: the same run waits again.
    engine.redis(
        Command.ZADD,
        "carillon:{" + Engine.KEYS.partition(attempt.job()) + "}:due",
        Long.toString(T0.toEpochMilli()),
        attempt.member());
    engine.redis(
        Command.HSET,
        "carillon:{" + Engine.KEYS.partition(attempt.job()) + "}:job:" + attempt.job(),
        "state",
        "enabled");
    engine.step();

    assertEquals(1, engine.redis(Command.XLEN, STREAM).toInteger());
    assertEquals(2, engine.history("j").size());
    assertEquals("Redis Stream Action - Added to 'orders' by an earlier attempt", message("j"));
  }

  @Test
  void theErrorActionOfAnExecutionAddsBesideTheMainAction() {
    engine.redis(Command.SET, "carillon-queue:{default}/taken", "x");
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
    String ledger = "carillon-queue:{default}:added:orders";

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

  private void restart(boolean redis, int queues, int bytes) {
    engine.close();
    engine =
        new Engine(
            this.redis,
            "n1",
            clock,
            EngineSettings.with(
                "queues.redis=" + redis,
                "queues.redisQueues=" + queues,
                "queues.redisLength=1000",
                "queues.redisBytes=" + bytes));
  }

  private static String listNamed(String name, String message) {
    return "{`type`:`redisList`,`redisList`:{`list`:`"
        + name
        + "`,`message`:`"
        + message
        + "`},`retryPolicy`:{`retryType`:`none`}}";
  }

  @Test
  void aCollectionFillsSoManyQueuesUntilConsumersHaveEmptiedOne() {
    restart(true, 2, 1 << 20);
    put("a", listNamed("a", "m"));
    put("b", listNamed("b", "m"));

    put("c", listNamed("c", "m"));

    assertEquals(
        "Redis List Action - Request to 'c' failed: the collection has as many queues as it may, 2"
            + " (queues.redisQueues)",
        message("c"));
    assertEquals(0, engine.redis(Command.EXISTS, "carillon-queue:{default}/c").toInteger());
    put("a2", listNamed("a", "m"));
    assertEquals(Status.COMPLETED, engine.history("a2").get(0).status());
    engine.redis(Command.RPOP, "carillon-queue:{default}/b");
    put("c2", listNamed("c", "m"));
    assertEquals(Status.COMPLETED, engine.history("c2").get(0).status());
    assertEquals(0, engine.redis(Command.EXISTS, "carillon-queue:{default}:lengths:b").toInteger());
  }

  @Test
  void aQueueHoldsSoManyBytes() {
    restart(true, 10, 1 << 20);
    String message = "x".repeat(100_000);
    for (int i = 0; i < 30; i++) {
      engine.put("l" + i, json("{`action`:" + listNamed("big", message) + "}"));
      engine.put(
          "s" + i,
          json(
              "{`action`:{`type`:`redisStream`,`redisStream`:{`stream`:`flow`,`message`:`"
                  + message
                  + "`}}}"));
    }
    engine.step();

    assertEquals(10, engine.redis(Command.LLEN, "carillon-queue:{default}/big").toInteger());
    int flow = engine.redis(Command.XLEN, "carillon-queue:{default}/flow").toInteger();
    assertTrue(flow >= 10 && flow <= 12, "entries " + flow);
  }

  @Test
  void whatConsumersTakeMakesRoomForBytesAgain() {
    restart(true, 10, 1 << 20);
    String message = "x".repeat(100_000);
    for (int i = 0; i < 40; i++) {
      put("l" + i, listNamed("big", message));
      if (i % 2 == 0) {
        engine.redis(Command.RPOP, "carillon-queue:{default}/big");
      }
    }

    assertEquals(10, engine.redis(Command.LLEN, "carillon-queue:{default}/big").toInteger());
    assertTrue(message("l38").endsWith("entries: 10, oldest dropped: 1"), message("l38"));
    assertTrue(message("l39").endsWith("entries: 10"), message("l39"));
  }

  @Test
  void attemptsFailWhereQueuesAreSwitchedOff() {
    restart(false, 10, 1 << 20);

    put("j", listNamed("l", "m"));

    assertEquals(
        "Redis List Action - Request to 'l' failed: queues in Redis are switched off"
            + " (queues.redis)",
        message("j"));
    assertEquals(0, engine.redis(Command.EXISTS, "carillon-queue:{default}/l").toInteger());
  }

  @Test
  void theQueuesOfADeletedCollectionGoAfterAWeekUnlessTheyAreFilledAgain() {
    engine.stores(
        all ->
            all.collections()
                .put(Engine.COLLECTION, CollectionDefinition.PLAIN, Precondition.NONE, T0));
    put("j", listNamed("a", "m"));
    put("k", listNamed("b", "m"));

    engine.stores(all -> all.collections().delete(Engine.COLLECTION, Precondition.NONE));

    for (String key : List.of("/a", "/b", ":lengths:a", ":queues")) {
      long left = engine.redis(Command.PTTL, "carillon-queue:{default}" + key).toLong();
      assertTrue(left > 600_000_000 && left <= 604_800_000, key + " " + left);
    }
    engine.stores(
        all ->
            all.queues()
                .push(
                    RedisListCall.Side.LEFT,
                    new RedisQueueStore.Queue(
                        Engine.name("j").key(), "a", 1, Settings.defaults().queues()),
                    "execution",
                    "entry"));
    assertEquals(-1, engine.redis(Command.PTTL, "carillon-queue:{default}/a").toInteger());
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

    assertEquals(List.of(STREAM, "carillon-queue:{default}:added:orders", LENGTHS, QUEUES), keys);
    assertFalse(Settings.defaults().redis().prefix().endsWith("-queue"));
  }
}
