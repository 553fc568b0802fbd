package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.Precondition;
import carillon.job.action.RedisListCall;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.CollectionName;
import carillon.job.name.JobState;
import carillon.store.collection.RedisQueueStore;
import carillon.support.Engine;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Test of streams and lists, filled by the real engine and read as consumers read them. */
class RedisQueueTest extends RedisQueueFixture {
  private static final List<String> KEYS =
      List.of(
          STREAM,
          "carillon-queue:{default}:added:orders",
          "carillon-queue:{default}:maxlengths:orders",
          "carillon-queue:{default}:sizes");

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
  void anAttemptThatIsRepeatedAfterACrashAddsNothing() {
    put("j", stream(""));
    Attempt attempt =
        new Attempt(
            Engine.name("j").key(), T0, 1, Attempt.Phase.MAIN, 1, engine.get("j").revision(), 0);
    assertEquals(attempt.executionId(), engine.history("j").get(0).execution());

    // The run waits again, as after the death of the node between adding the entry and recording
    // it.
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
  void theQueuesOfADeletedCollectionGoAfterAWeekUnlessTheyAreFilledAgain() {
    engine.stores(
        all ->
            all.collection()
                .collections()
                .put(Engine.COLLECTION, CollectionDefinition.PLAIN, Precondition.NONE, T0));
    put("j", listNamed("a", "m"));
    put("k", listNamed("b", "m"));

    engine.stores(
        all -> all.collection().collections().delete(Engine.COLLECTION, Precondition.NONE));

    for (String key : List.of("/a", "/b", ":maxlengths:a", ":sizes")) {
      long left = engine.redis(Command.PTTL, "carillon-queue:{default}" + key).toLong();
      assertTrue(left > 600_000_000 && left <= 604_800_000, key + " " + left);
    }
    engine.stores(
        all ->
            all.collection()
                .queues()
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

    assertEquals(KEYS, keys);
    assertFalse(Settings.defaults().redis().prefix().endsWith("-queue"));
  }
}
