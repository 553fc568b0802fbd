package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.TestSettings;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.LogCapture;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the log of nodes while Redis is away. */
@Tag("redis")
class OutageLogTest {
  private static final Duration HEARTBEAT = Duration.ofMillis(500);

  private static long failedBeats(LogCapture log) {
    return log.lines().stream()
        .filter(line -> line.contains("heartbeat failed") && !line.startsWith("{"))
        .count();
  }

  @Test
  void nodesWhoseLeaseIsOverInAnOutageBeatAsSeldomAsEver() {
    TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));
    RedisServer redis = RedisServer.start();
    try (Engine first = node(redis, "first", clock);
        Engine second = node(redis, "second", clock);
        LogCapture log = new LogCapture()) {
      first.beat();
      second.beat();
      first.beat();
      redis.kill9();
      clock.advance(Duration.ofMinutes(1));
      Await.until("the outage", () -> failedBeats(log) > 0);
      long begun = System.nanoTime();
      long before = failedBeats(log);

      Await.until("five more", () -> failedBeats(log) >= before + 5);

      Duration passed = Duration.ofNanos(System.nanoTime() - begun);
      assertTrue(passed.compareTo(HEARTBEAT.multipliedBy(2)) > 0, passed.toString());
      redis.restart();
    } finally {
      redis.close();
    }
  }

  /** The number and frequency of failed polls makes no difference. */
  @Test
  void anOutageIsOneLineAtItsBeginAndOneAtItsEnd() {
    TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));
    RedisServer redis = RedisServer.start();
    try (Engine node = node(redis, "first", clock);
        LogCapture log = new LogCapture()) {
      node.beat();
      redis.kill9();
      node.poll();
      Await.until("the outage", () -> count(log, "DEBUG", "claim failed") > 1);
      Await.until("two beats", () -> failedBeats(log) > 1);
      clock.advance(Duration.ofMinutes(1));
      redis.restart();
      Await.until(
          "the end of the outage",
          () -> {
            node.beat();
            node.poll();
            return count(log, "INFO", "Redis is available again") > 0;
          });

      assertEquals(1, count(log, "WARN", "Redis is unavailable"), log.lines()::toString);
      assertEquals(0, count(log, "WARN", "claim failed"), log.lines()::toString);
      assertEquals(0, count(log, "WARN", "heartbeat failed"), log.lines()::toString);
      assertEquals(1, count(log, "INFO", "Redis is available again"), log.lines()::toString);
    } finally {
      redis.close();
    }
  }

  private static long count(LogCapture log, String level, String message) {
    return log.lines().stream()
        .filter(line -> line.contains("\"level\":\"" + level + "\"") && line.contains(message))
        .count();
  }

  private static Engine node(RedisServer redis, String id, TestClock clock) {
    return new Engine(
        redis,
        id,
        clock,
        TestSettings.with(
            EngineSettings.with("node.id=" + id),
            "node.heartbeat=" + HEARTBEAT.toMillis() + "ms",
            "node.lease=5s"));
  }
}
