package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import carillon.job.name.JobState;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Test of the execution and the pause in the answer to a requested execution. */
class RequestedExecutionTest extends WithEngine {
  private static final String COLLECTION = "/jobcollections/default";

  /** Returns the id of the newest execution in the history. */
  private String newest() {
    return engine.history("j").get(0).execution();
  }

  private JsonObject ask(String verb, String... headers) {
    return api.post(J + "/" + verb, "", headers).assertStatus(202).json();
  }

  @Test
  void aRunIsAnsweredWithTheExecutionOfItsCall() {
    api.put(J, job(at("23:00:00"))).assertStatus(201);

    JsonObject run = ask("run");
    engine.step();

    assertEquals(newest(), run.getString("executionId"));
    assertNull(run.getJsonObject("waits"));
  }

  @Test
  void aRepeatIsAnsweredWithTheFirstExecutionAlsoAfterAChangeOfTheJob() {
    api.put(J, job(at("23:00:00"))).assertStatus(201);
    String first = ask("run", "Idempotency-Key", "k").getString("executionId");
    api.moveTo(at("12:00:01"));
    api.patch(J, "{`priority`:5}").assertStatus(200);

    assertEquals(first, ask("run", "Idempotency-Key", "k").getString("executionId"));
  }

  @Test
  void aRetryIsAnsweredWithTheExecutionOfItsCall() {
    target.answer(404);
    api.put(J, job().startTime(at("12:00:01")).noRetry().json()).assertStatus(201);
    engine.stepTo(at("12:00:01"));
    engine.step();
    assertEquals(JobState.FAULTED, engine.get("j").state());
    api.moveTo(at("12:00:05"));

    String execution = ask("retry").getString("executionId");
    engine.stepTo(at("12:00:05"));
    engine.step();

    assertEquals(newest(), execution);
  }

  @Test
  void inAPausedCollectionTheAnswerSaysWhatTheExecutionWaitsFor() {
    api.put(J, job(at("23:00:00"))).assertStatus(201);
    api.post(COLLECTION + "/disable", "{`note`:`INC-123`}").assertStatus(200);

    JsonObject run = ask("run");
    engine.step();

    assertEquals("INC-123", run.getJsonObject("waits").getString("note"));
    assertEquals(0, target.calls().size());
    api.moveTo(at("12:00:30"));
    JsonObject waiting =
        api.get(J + "/waiting").json().getJsonArray("value").stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.getString("kind").equals("held"))
            .findFirst()
            .orElseThrow();
    assertEquals("default", waiting.getJsonObject("waits").getString("name"));
  }

  @Test
  void resourceManagerStillAnswersNothing() {
    String path =
        "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections/c";
    String version = "?api-version=2016-03-01";
    api.put(path + version, "{`location`:`West US`}").assertStatus(201);
    api.put(path + "/jobs/j" + version, "{`properties`:" + job(at("23:00:00")) + "}")
        .assertStatus(201);

    api.post(path + "/jobs/j/run" + version).assertIs(200, "");
  }
}
