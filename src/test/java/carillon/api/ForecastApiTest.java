package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Test of upcoming occurrences of stored jobs, and of the validation of submitted ones. */
class ForecastApiTest extends WithDefaultCollection {
  @Test
  void theNextOccurrencesAreThoseThatTheCountLeaves() {
    put(
        "thrice",
        job()
            .startTime("2026-11-20T20:00:00Z")
            .recurrence("{`frequency`:`hour`,`interval`:3,`count`:3}")
            .json());

    JsonObject outlook = get(JOBS + "thrice/occurrences");

    assertEquals("every 3 hours at minute 0, 3 times", outlook.getString("schedule"));
    assertEquals(
        new JsonArray()
            .add("2026-11-20T20:00:00Z")
            .add("2026-11-20T23:00:00Z")
            .add("2026-11-21T02:00:00Z"),
        outlook.getJsonArray("occurrences"));
    assertEquals(
        new JsonArray()
            .add(new JsonObject().put("date", "2026-11-20").put("count", 2))
            .add(new JsonObject().put("date", "2026-11-21").put("count", 1)),
        outlook.getJsonArray("days"));
  }

  @Test
  void aJobThatCountsFromItsStartsIsShownAsIfAllWereOnTime() {
    put("often", job().recurrence("{`frequency`:`minute`,`interval`:5}").json());

    JsonObject outlook = get(JOBS + "often/occurrences?$top=2");

    assertEquals(
        new JsonArray().add("2026-11-20T18:00:00Z").add("2026-11-20T18:05:00Z"),
        outlook.getJsonArray("occurrences"));
    assertEquals(72, outlook.getJsonArray("days").getJsonObject(0).getInteger("count"));
    assertEquals(288, outlook.getJsonArray("days").getJsonObject(41).getInteger("count"));
  }

  @Test
  void aPausedJobHasNoUpcomingOccurrences() {
    put("off", daily().with("state", "disabled").json());

    JsonObject outlook = get(JOBS + "off/occurrences");

    assertEquals("every day at 05:00 UTC", outlook.getString("schedule"));
    assertTrue(outlook.getJsonArray("occurrences").isEmpty());
    assertTrue(outlook.getJsonArray("days").isEmpty());
  }

  private JsonObject validate(String name, String job) {
    Answer answer = api.post(JOBS + name + "/validate", job).assertStatus(200);
    return answer.json();
  }

  @Test
  void validatingAValidJobForecastsItAndStoresNothing() {
    JsonObject outlook = validate("new", DAILY);

    assertEquals("2026-11-20T18:00:00Z", outlook.getJsonArray("occurrences").getString(0));
    api.get(JOBS + "new").assertStatus(404);
  }

  static List<String> refused() {
    return List.of(
        "{}",
        "{\"action\":{\"type\":\"http\"}}",
        "{\"recurrence\":{\"frequency\":\"day\"}}",
        job().with("unknown", 1).json(),
        job().recurrence("{`frequency`:`week`,`schedule`:{`monthDays`:[1]}}").json(),
        job().startTime("tomorrow").json(),
        job().startTime("tomorrow").with("priority", 99).with("unknown", 1).json(),
        "no json");
  }

  @ParameterizedTest
  @MethodSource("refused")
  void validatingAnInvalidJobAnswersTheRefusalOfItsPut(String job) {
    Answer put = api.put(JOBS + "new", job);

    put.assertStatus(400);
    assertEquals(
        put.withoutRequestId().json(),
        api.post(JOBS + "new/validate", job).assertStatus(200).withoutRequestId().json());
  }

  @Test
  void everyFieldThatIsWrongIsADetail() {
    Answer put = api.put(JOBS + "new", job().startTime("tomorrow").with("priority", 99).json());

    JsonObject error = put.assertStatus(400).json().getJsonObject("error");
    JsonArray details = error.getJsonArray("details");
    assertEquals(
        List.of("startTime", "priority"),
        details.stream().map(one -> ((JsonObject) one).getString("target")).toList());
    assertEquals(error.getString("message"), details.getJsonObject(0).getString("message"));
    assertEquals("BadRequest", details.getJsonObject(1).getString("code"));
    JsonObject alone =
        api.put(JOBS + "new", job().with("priority", 99).json()).json().getJsonObject("error");
    assertEquals(alone.getString("message"), details.getJsonObject(1).getString("message"));
    assertFalse(alone.containsKey("details"));
  }

  @Test
  void validatingAJobBeyondAQuotaAnswersTheConflict() {
    api.put(
        "/jobcollections/default", "{`quota`:{`maxRecurrence`:{`frequency`:`hour`,`interval`:1}}}");
    String job = job().every("minute").json();

    Answer refused = api.post(JOBS + "new/validate", job).assertStatus(200).withoutRequestId();

    assertEquals("Conflict", refused.json().getJsonObject("error").getString("code"));
    assertEquals(api.put(JOBS + "new", job).withoutRequestId().json(), refused.json());
  }

  @Test
  void aJobIsValidatedByPostAlone() {
    api.get(JOBS + "new/validate").assertStatus(405);
  }
}
