package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.HistoryEntry.Status;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the limits of queues: length, bytes and number. */
class RedisQueueLimitsTest extends RedisQueueFixture {
  private static final String LENGTHS = "carillon-queue:{default}:maxlengths:orders";

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
    assertEquals(
        0, engine.redis(Command.EXISTS, "carillon-queue:{default}:maxlengths:b").toInteger());
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
}
