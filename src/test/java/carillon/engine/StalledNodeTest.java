package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of a stalled node on a real Redis. */
@Tag("redis")
class StalledNodeTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private static final Pattern ERRORS = Pattern.compile("errorstat_ERR:count=(\\d+)");

  private static final String INDEX = "jobs:default/default/default";

  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));

  @Test
  void aNodeWhoseHeartbeatsFailIsStalledAfterItsLease() {
    try (RedisServer redis = RedisServer.start();
        Engine node = new Engine(redis, "first", clock)) {
      node.beat();
      redis.ask("CONFIG SET maxmemory 1");
      node.beat();
      assertEquals(Optional.empty(), node.stall());

      node.pass(LEASE);
      node.beat();

      assertTrue(node.stall().orElseThrow().contains("send a heartbeat"), node.stall()::toString);
      redis.ask("CONFIG SET maxmemory 0");
      node.beat();
      assertEquals(Optional.empty(), node.stall());
    }
  }

  /**
   * Redis does not roll a script back: each of these commands is refused after others of the
   * script.
   */
  @ParameterizedTest
  @CsvSource({"rpush, 200", "zadd, 200", "hset, 200", "rpush, 500", "xadd, 500"})
  void aResultThatRedisRefusesIsKeptAndRecordedOnce(String command, int status) {
    try (RedisServer redis = RedisServer.start();
        CallbackServer target = new CallbackServer();
        LogCapture log = new LogCapture();
        Engine node = new Engine(redis, "first", clock)) {
      node.beat();
      target.answer(status);
      target.hold();
      node.put("j", JobJson.get(target.url("/")).startTime(clock.instant()).noRetry().json());
      node.poll();
      target.awaitCalls(1);
      redis.ask("ACL SETUSER default -" + command);
      target.release();
      Await.until("three refusals", () -> errors(node) >= 3);
      assertEquals(Optional.empty(), node.stall());

      // Redis counts a refusal before the node hears of it.
      Await.until(
          "the stall",
          () -> {
            node.pass(LEASE);
            return node.stall().isPresent();
          });

      assertTrue(node.stall().orElseThrow().contains("record the results"), node.stall()::toString);
      redis.ask("ACL SETUSER default +" + command);
      node.awaitIdle();
      assertEquals(status == 200 ? JobState.COMPLETED : JobState.FAULTED, node.get("j").state());
      assertEquals(List.of(1, 1), List.of(target.calls().size(), node.history("j").size()));
      assertEquals(1, node.redis(Command.LLEN, Engine.slot("j") + "finished").toInteger());
      int logged = node.redis(Command.XLEN, Engine.slot("j") + "outcomes").toInteger();
      assertEquals(status == 200 ? 0 : 1, logged);
      Await.until("the end of the stall", () -> node.stall().isEmpty());
      assertEquals(
          1, log.complaints().stream().filter(l -> l.contains("could not record")).count());
      Response index = node.redis(Command.ZRANGE, Engine.slot("j") + INDEX, "0", "-1");
      assertEquals("[" + node.get("j").state().word() + "/j]", index.toString());
    }
  }

  private static int errors(Engine node) {
    Matcher found = ERRORS.matcher(node.redis(Command.INFO, "errorstats").toString());
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }
}
