package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.CallbackServer.Call;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Carillon cannot be used to flood a victim, whatever is due at once. */
class DestinationCapTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final int CAP = 5;
  private static final int FLOOD = 300;
  private static final int OTHERS = 20;

  private final TestClock clock = new TestClock(NOON.minusSeconds(1));
  private final CallbackServer victim = new CallbackServer();
  private final CallbackServer other = new CallbackServer();
  private Engine engine;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    engine =
        new Engine(
            RedisServer.shared(),
            "node",
            clock,
            EngineSettings.with("dispatch.maxPerDestination=" + CAP));
  }

  @AfterEach
  void stop() {
    engine.close();
    victim.close();
    other.close();
  }

  /** The names of those at the victim come first, and so they are claimed first. */
  private void putAtNoon(String prefix, int count, CallbackServer target) {
    for (int i = 0; i < count; i++) {
      engine.put(prefix + i, JobJson.get(target.url("/" + i)).startTime(NOON).json());
    }
  }

  @Test
  void aVictimNeverHasMoreCallsAtOnceThanTheCapAndOthersDoNotWaitForIt() {
    putAtNoon("a", FLOOD, victim);
    putAtNoon("z", OTHERS, other);
    victim.hold();

    clock.set(NOON);
    engine.look();
    other.awaitCalls(OTHERS); // at noon: the clock stands still
    victim.awaitCalls(CAP);
    victim.release();
    while (victim.calls().size() < FLOOD) {
      letSomeMoreThrough();
    }
    engine.awaitIdle();

    assertEquals(CAP, victim.mostAtOnce());
    assertEquals(FLOOD, victim.calls().size());
    assertEquals(FLOOD, victim.calls().stream().map(Call::path).distinct().count());
    assertEquals(OTHERS, other.calls().size());
  }

  /** Those that come are kept for as long as others might come beside them. */
  private void letSomeMoreThrough() {
    victim.hold();
    int before = victim.calls().size();
    Await.until(
        "a call after " + before,
        () -> {
          clock.advance(Duration.ofSeconds(1));
          engine.look();
          int now = victim.calls().size();
          return now > before || now == FLOOD;
        });
    victim.release();
  }
}
