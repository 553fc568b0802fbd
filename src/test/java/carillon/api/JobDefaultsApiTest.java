package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Test of the defaults in the answer for a single job. */
class JobDefaultsApiTest extends WithCollection {
  private static final JsonObject RETRIES =
      new JsonObject().put("retryType", "fixed").put("retryInterval", "PT30S").put("retryCount", 4);
  private static final JsonObject OF_ACTION =
      new JsonObject()
          .put("retryPolicy", RETRIES)
          .put("timeout", "PT1M")
          .put("successOn", new JsonArray().add("2xx"));

  private JsonObject defaults() {
    return api.get(J).assertStatus(200).json().getJsonObject("status").getJsonObject("defaults");
  }

  private static JobJson plain() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @Test
  void aJobThatGivesNothingShowsAllThatApplies() {
    api.put(J, plain().every("day").json()).assertStatus(201);

    assertEquals(
        new JsonObject()
            .put("action", OF_ACTION)
            .put("missed", new JsonObject().put("run", "latest"))
            .put("overlap", "allowAll")
            .put("priority", 0),
        defaults());
  }

  @Test
  void whatAJobGivesIsNoDefault() {
    api.put(
            J,
            "{`action`:{`request`:{`method`:`GET`,`uri`:`http://127.0.0.1:9/`},`timeout`:`PT5S`,"
                + "`successOn`:[`404`],`retryPolicy`:{`retryType`:`none`}},"
                + "`recurrence`:{`frequency`:`day`},`overlap`:`skip`,`missed`:{`run`:`none`},"
                + "`priority`:2}")
        .assertStatus(201);

    assertEquals(new JsonObject().put("action", new JsonObject()), defaults());
  }

  @Test
  void anErrorActionHasItsOwn() {
    JobJson alarm =
        JobJson.of(
            "redisStream",
            "redisStream",
            new JsonObject().put("stream", "alarms").put("message", "bad"));
    api.put(J, plain().noRetry().errorAction(alarm).json()).assertStatus(201);

    JsonObject action = defaults().getJsonObject("action");

    assertEquals(null, action.getJsonObject("retryPolicy"));
    assertEquals(
        new JsonObject().put("retryPolicy", RETRIES).put("timeout", "PT1M"),
        action.getJsonObject("errorAction"));
    assertEquals(null, defaults().getString("overlap"), "a one-time job has none");
  }

  @Test
  void listsAnswersToWritesAndTheDialectsOfTheServiceShowNone() {
    api.put(J, plain().json()).assertStatus(201).assertLacks("defaults");
    api.get(C + "/jobs").assertStatus(200).assertLacks("defaults");
    api.get(C + "/search").assertStatus(200).assertLacks("defaults");
    String arm = "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler";
    api.get(arm + "/jobCollections/c/jobs/j?api-version=2016-03-01")
        .assertStatus(200)
        .assertLacks("defaults");
  }

  @Test
  void whatIsAnsweredMayComeBackAndGivesTheJobNothing() {
    api.put(J, plain().every("day").json()).assertStatus(201);
    JsonObject before = defaults();

    api.put(J, api.get(J).body()).assertStatus(200);

    assertEquals(before, defaults());
  }

  @Test
  void theCommandLineShowsThem() {
    api.put(J, plain().every("day").json()).assertStatus(201);
    CarillonCommands carillon = new CarillonCommands("http://127.0.0.1:" + api.port());

    String shown = carillon.type("jobs", "get", "c/j").ok().out();

    assertTrue(
        shown.contains(
            "defaults  retries 4 after PT30S, timeout PT1M, successOn 2xx, missed latest,"
                + " overlap allowAll, priority 0"),
        shown);
  }
}
