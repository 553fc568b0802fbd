package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.config.Settings;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A node that is told to stop (SIGTERM) gives back what it has claimed and not begun. */
class HandOverTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final int JOBS = 6;

  private final TestClock clock = new TestClock(START);

  private static Settings oneCallAtATime() {
    DispatchSettings d = Settings.defaults().dispatch();
    return EngineSettings.with(
        new DispatchSettings(
            JOBS * 4, 1, d.timeout(), d.maxResponse(), d.region(), d.maxCrashes(), d.trustedCa()));
  }

  @Test
  void whatWasNotBegunIsDoneByAnotherAtOnceAndNotAfterALease() {
    RedisServer.shared().flush();
    try (CallbackServer target = new CallbackServer();
        Engine stopping = new Engine(RedisServer.shared(), "stopping", clock, oneCallAtATime())) {
      target.hold();
      for (int i = 0; i < JOBS; i++) {
        stopping.put(
            "j" + i,
            "{\"startTime\":\"2026-11-20T12:00:00Z\",\"action\":{\"type\":\"http\",\"request\":"
                + "{\"uri\":\""
                + target.url("/j" + i)
                + "\",\"method\":\"GET\"}}}");
      }
      stopping.look();
      Await.until("one call, and claims that wait", () -> target.calls().size() == 1);
      Await.until("claims that wait", () -> stopping.claims() > 1);

      stopping.quiesce();

      assertEquals(1, stopping.claims(), "only the call under way");
      assertEquals(JOBS - 1, stopping.due().size());
      assertTrue(
          stopping.due().stream()
              .allMatch(run -> run.endsWith(" crashes=0") || run.startsWith("job:")));
      // Long enough for what found no place, and for no lease to run out.
      clock.advance(Duration.ofSeconds(2));
      try (Engine other = new Engine(RedisServer.shared(), "other", clock)) {
        other.beat();
        Await.until(
            "the calls of the other node",
            () -> {
              other.look();
              return target.calls().size() == JOBS;
            });
        target.release();
        other.awaitIdle();
        stopping.awaitIdle();
      }
      assertEquals(JOBS, target.calls().size());
    }
  }
}
