package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Test that each view of a job shows the pause that it waits for. */
class HeldJobsApiTest extends WithCollection {
  private static final String PAUSE =
      "{`note`:`vendor down, INC-123`,`until`:`2026-11-20T20:00:00Z`}";
  private static final JsonObject WAITS =
      new JsonObject()
          .put("for", "collection")
          .put("name", "c")
          .put("since", "2026-11-20T18:00:00Z")
          .put("by", "anybody")
          .put("note", "vendor down, INC-123")
          .put("until", "2026-11-20T20:00:00Z");

  private JsonObject get(String path) {
    return api.get(path).assertStatus(200).json();
  }

  private static JsonObject first(JsonObject page) {
    return page.getJsonArray("value").getJsonObject(0);
  }

  /** Returns the {@code waits} object of each view of the job {@code j}. */
  private Map<String, JsonObject> views() {
    Map<String, JsonObject> views = new TreeMap<>();
    views.put("job", get(J).getJsonObject("waits"));
    views.put("list", first(get(C + "/jobs")).getJsonObject("waits"));
    views.put("ordered", first(get(C + "/jobs?$orderby=id%20desc")).getJsonObject("waits"));
    views.put("search", first(get(C + "/search")).getJsonObject("job").getJsonObject("waits"));
    views.put("all", first(get("/search?name=j")).getJsonObject("job").getJsonObject("waits"));
    views.put("occurrences", get(J + "/occurrences").getJsonObject("waits"));
    views.put("due", first(get("/due")).getJsonObject("waits"));
    views.put("waiting", first(get(J + "/waiting")).getJsonObject("waits"));
    views.put(
        "forecast",
        first(get("/forecast/jobs?from=2026-11-20T18:00:00Z&until=2026-11-22T18:00:00Z"))
            .getJsonObject("waits"));
    views.put("patched", api.patch(J, "{`description`:`d`}").json().getJsonObject("waits"));
    return views;
  }

  @Test
  void eachViewOfAJobSaysByWhomUntilWhenAndWhyItsCollectionIsPaused() {
    api.put(J, DAILY).assertStatus(201);
    run("j");
    api.post(C + "/disable", PAUSE).assertStatus(200);

    views().forEach((view, waits) -> assertEquals(WAITS, waits, view));

    api.post(C + "/enable").assertStatus(200);
    api.moveTo(ApiServer.START.plusSeconds(6)); // a forecast is cached for a few seconds
    views().forEach((view, waits) -> assertNull(waits, view));
  }

  /** Gives the job a waiting attempt. */
  private void run(String job) {
    api.post(C + "/jobs/" + job + "/run").assertStatus(202);
  }

  @Test
  void aJobThatIsPutIntoAPausedCollectionIsAnsweredWithWhatItWaitsFor() {
    api.post(C + "/disable", PAUSE).assertStatus(200);

    assertEquals(WAITS, api.put(J, DAILY).assertStatus(201).json().getJsonObject("waits"));
  }

  @Test
  void aCollectionThatItsDocumentDisabledIsNamedAlone() {
    api.put(J, DAILY).assertStatus(201);
    api.patch(C, "{`state`:`suspended`}").assertStatus(200);

    assertEquals(
        new JsonObject().put("for", "collection").put("name", "c"), get(J).getJsonObject("waits"));
  }

  @Test
  void whatIsAnsweredMayComeBackAndIsNotStored() {
    api.put(J, DAILY).assertStatus(201);
    api.post(C + "/disable", PAUSE).assertStatus(200);

    api.put(J, get(J).encode()).assertStatus(200);
    api.post(C + "/enable").assertStatus(200);

    assertNull(get(J).getJsonObject("waits"));
    assertEquals(-1, stored().indexOf("waits"));
  }

  @Test
  void theDialectsOfTheServiceDoNotSayIt() {
    api.put(ARM + "/c" + VERSION, "{`location`:`West US`}").assertStatus(201);
    String job = ARM + "/c/jobs/j" + VERSION;
    api.put(job, "{`properties`:" + DAILY + "}").assertStatus(201);
    api.post(ARM + "/c/disable" + VERSION, PAUSE).assertStatus(200);

    api.get(job).assertStatus(200).assertLacks("waits");
    api.get(ARM + "/c/jobs" + VERSION).assertStatus(200).assertLacks("waits");
  }

  @Test
  void theOverviewSaysByWhomUntilWhenAndWhyACollectionIsPaused() {
    api.post(C + "/disable", PAUSE).assertStatus(200);

    JsonArray attention = get("/overview").getJsonArray("attention");

    assertEquals(
        "By anybody: vendor down, INC-123, until 2026-11-20T20:00:00Z. None of its jobs runs:"
            + " one-time jobs wait, occurrences of recurring ones are skipped.",
        attention.stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.getString("what").equals("Collection 'c' is disabled"))
            .findFirst()
            .orElseThrow()
            .getString("why"));
  }
}
