package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.config.Settings;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.CallbackServer.Call;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that Carillon cannot be used to flood a victim, however many jobs are due simultaneously.
 */
class DestinationCapTest extends EngineFixture {
  private static final int CAP = 5;
  private static final int FLOOD = 300;
  private static final int OTHERS = 20;

  private final CallbackServer other = new CallbackServer();

  @Override
  Instant begin() {
    return NOON.minusSeconds(1);
  }

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=" + CAP);
  }

  @AfterEach
  void stopOther() {
    other.close();
  }

  /** The names of the jobs at the target come first, and so they are claimed first. */
  private void putAtNoon(String prefix, int count, CallbackServer at) {
    for (int i = 0; i < count; i++) {
      engine.put(prefix + i, JobJson.get(at.url("/" + i)).startTime(NOON).json());
    }
  }

  @Test
  void aVictimNeverHasMoreCallsAtOnceThanTheCapAndOthersDoNotWaitForIt() {
    putAtNoon("a", FLOOD, target);
    putAtNoon("z", OTHERS, other);
    target.hold();

    clock.set(NOON);
    engine.poll();
    other.awaitCalls(OTHERS); // at noon: the clock stands still
    target.awaitCalls(CAP);
    target.release();
    while (target.calls().size() < FLOOD) {
      letSomeMoreThrough();
    }
    engine.awaitIdle();

    assertEquals(CAP, target.mostAtOnce());
    assertEquals(FLOOD, target.calls().size());
    assertEquals(FLOOD, target.calls().stream().map(Call::path).distinct().count());
    assertEquals(OTHERS, other.calls().size());
  }

  /** Keeps the new calls open for as long as others might start beside them. */
  private void letSomeMoreThrough() {
    target.hold();
    int before = target.calls().size();
    Await.until(
        "a call after " + before,
        () -> {
          clock.advance(Duration.ofSeconds(1));
          engine.poll();
          int now = target.calls().size();
          return now > before || now == FLOOD;
        });
    target.release();
  }
}
