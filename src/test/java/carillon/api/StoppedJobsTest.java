package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of jobs that {@code pauseAfterFailures} stopped, as an operator sees them. */
class StoppedJobsTest extends WithEngine {
  private void failInARow(int times, int limit) {
    target.answer(500);
    api.put(
            J,
            job()
                .startTime(at("12:01:00"))
                .noRetry()
                .every("minute")
                .with("pauseAfterFailures", limit)
                .json())
        .assertStatus(201);
    for (int i = 0; i < times; i++) {
      engine.stepTo(at("12:01:00").plusSeconds(60L * i));
      engine.step();
    }
    api.moveTo(at("12:10:00"));
  }

  /** Returns the alerts of the overview about the job. */
  private List<JsonObject> attention() {
    return api.get("/overview").assertStatus(200).json().getJsonArray("attention").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("what").contains("j'"))
        .toList();
  }

  @Test
  void theOverviewSaysThatAJobWasStoppedAndNotThatItFails() {
    failInARow(3, 3);

    List<JsonObject> attention = attention();

    assertEquals(1, attention.size(), attention::toString);
    JsonObject stopped = attention.get(0);
    assertEquals("Job 'default/j' was stopped after 3 failures", stopped.getString("what"));
    assertTrue(
        stopped
            .getString("why")
            .startsWith("It is disabled since 2026-11-20T12:03:00Z and does not run"),
        stopped::encode);
    assertEquals("/c/default/j/j", stopped.getString("link"));
    assertEquals("bad", stopped.getString("level"));
  }

  @Test
  void aJobThatItsFirstFailureStopsIsReported() {
    failInARow(1, 1);

    assertEquals(
        "Job 'default/j' was stopped after 1 failure", attention().get(0).getString("what"));
  }

  @Test
  void aJobThatSomebodyDisabledFailsNoMore() {
    failInARow(2, 5);
    assertEquals("Job 'default/j' fails", attention().get(0).getString("what"));

    api.post(J + "/disable", "{`note`:`known`}").assertStatus(200);
    api.moveTo(at("12:10:10"));

    assertEquals(List.of(), attention());
  }
}
