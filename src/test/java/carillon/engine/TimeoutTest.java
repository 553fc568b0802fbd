package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the timeout of attempts, and of other work during an attempt of an hour. */
class TimeoutTest extends EngineFixture {
  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.timeout=20s", "dispatch.maxTimeout=1h");
  }

  private List<String> messages(String job) {
    return engine.history(job).stream().map(entry -> entry.message()).toList();
  }

  @Test
  void eachActionHasItsOwnTime() {
    target.keepSilent();
    engine.put(
        "j",
        job("2026-11-20T12:01:00Z")
            .noRetry()
            .action("timeout", "PT0.2S")
            .errorAction(job().action("timeout", "PT0.3S"))
            .json());

    engine.stepTo(at("12:01:00"));
    engine.step();

    assertEquals(
        List.of(
            "Http Action - Request to host '127.0.0.1' failed: no complete answer within 300 ms",
            "Http Action - Request to host '127.0.0.1' failed: no complete answer within 200 ms"),
        messages("j"));
    assertEquals(JobState.FAULTED, engine.get("j").state());
  }

  @Test
  void whatIsLongerThanTheDeploymentAllowsNowIsCut() {
    engine.close();
    engine =
        new Engine(
            redis().setup(),
            "node",
            clock,
            EngineSettings.with("dispatch.timeout=100ms", "dispatch.maxTimeout=150ms"));
    target.keepSilent();
    engine.put("j", job("2026-11-20T12:01:00Z").noRetry().action("timeout", "PT1H").json());

    engine.stepTo(at("12:01:00"));

    assertTrue(messages("j").get(0).endsWith("within 150 ms"), messages("j").get(0));
  }

  @Test
  void anAttemptOfAnHourIsTakenOverByNobodyWhileItsNodeLives() {
    engine.put("long", job("2026-11-20T12:01:00Z").every("hour").action("timeout", "PT1H").json());
    try (Engine other = new Engine(redis().setup(), "other", clock)) {
      target.hold();
      clock.set(at("12:01:00"));
      engine.poll();
      target.awaitCalls(1);

      for (int step = 0; step < 3600 - 5; step += 5) {
        clock.advance(Duration.ofSeconds(5));
        engine.beat();
        other.beat();
      }
      assertEquals(1, engine.claims());
      target.release();
      engine.awaitIdle();
    }

    assertEquals(1, target.calls().size());
    assertEquals(Status.COMPLETED, engine.history("long").get(0).status());
    assertEquals(0, engine.get("long").counters().failures());
    assertEquals(at("13:01:00"), engine.get("long").next().orElseThrow());
  }
}
