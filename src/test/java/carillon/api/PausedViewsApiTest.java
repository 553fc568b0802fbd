package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test that views show a pause only where it holds something back. The time is 18:00 of a Friday.
 */
class PausedViewsApiTest extends WithCollection {
  private static final String GROUP = "/groups/default/default/pause";
  private static final String DISABLE = C + "/disable";
  private static final String UNTIL_20 = "{`until`:`2026-11-20T20:00:00Z`}";
  private static final String FROM_20_TO_21 =
      "{`from`:`2026-11-20T20:00:00Z`,`until`:`2026-11-20T21:00:00Z`}";

  private JsonObject get(String path) {
    return api.get(path).assertStatus(200).json();
  }

  private static JsonObject first(JsonObject page) {
    return page.getJsonArray("value").getJsonObject(0);
  }

  private void put(String definition) {
    api.put(J, definition).assertStatus(201);
  }

  private void pause(String path, String body) {
    api.post(path, body).assertStatus(200);
  }

  /** Asserts whether the views of the job {@code j} contain {@code waits}. */
  private void assertWaits(boolean expected) {
    assertEquals(expected, get(J).containsKey("waits"));
    assertEquals(expected, first(get(C + "/jobs")).containsKey("waits"));
    assertEquals(expected, first(get(C + "/search")).getJsonObject("job").containsKey("waits"));
    assertEquals(expected, get(J + "/occurrences").containsKey("waits"));
    assertEquals(
        expected,
        api.patch(J, "{`description`:`d`}").assertStatus(200).json().containsKey("waits"));
  }

  private static String hourly(String start) {
    return job().startTime("2026-11-20T" + start + "Z").every("hour").json();
  }

  @ParameterizedTest
  @CsvSource({"19:59:59, true", "20:00:00, false", "21:00:00, false"})
  void aJobWhoseNextOccurrenceComesWhenThePauseIsOverDoesNotWait(String next, boolean waits) {
    put(hourly(next));
    for (String path : List.of("/pause", GROUP, DISABLE)) {
      pause(path, UNTIL_20);
      assertWaits(waits);
      api.post(path.replace("pause", "resume").replace("disable", "enable")).assertStatus(200);
    }
  }

  @Test
  void theNarrowerPauseIsToldWhereTheWiderOneIsOverByThen() {
    put(hourly("20:30:00"));
    pause("/pause", UNTIL_20);
    pause(DISABLE, "{`until`:`2026-11-20T23:00:00Z`}");

    assertEquals("collection", get(J).getJsonObject("waits").getString("for"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/pause", GROUP, DISABLE})
  void aJobThatIsDisabledWaitsForNobodysPause(String path) {
    put(hourly("19:00:00"));
    api.post(J + "/disable").assertStatus(200);
    pause(path, "{}");

    assertWaits(false);
    assertTrue(api.post(J + "/run").assertStatus(202).json().containsKey("waits"));
  }

  /** The second pause follows the first without a gap, or with one. */
  @ParameterizedTest
  @CsvSource({"20:00:00, true", "20:10:00, false"})
  void aPlannedPauseThatFollowsCountsAsWell(String from, boolean waits) {
    put(hourly("20:30:00"));
    pause("/pause", UNTIL_20);
    pause("/pause", "{`from`:`2026-11-20T" + from + "Z`,`until`:`2026-11-20T21:00:00Z`}");

    assertWaits(waits);
    assertTrue(first(get("/due")).containsKey("waits"));
    JsonObject held = get(J + "/occurrences").getJsonArray("pauses").getJsonObject(0);
    assertEquals("2026-11-20T" + from + "Z", held.getJsonObject("waits").getString("since"));
  }

  @Test
  void anItemWaitsWhereItIsDueInThePause() {
    put(hourly("20:30:00"));
    pause("/pause", UNTIL_20);
    assertFalse(first(get("/due")).containsKey("waits"));
    api.post("/resume").assertStatus(200);

    pause("/pause", FROM_20_TO_21);

    assertTrue(first(get("/due")).containsKey("waits"));
    assertWaits(false);
  }

  @Test
  void theCommandLineShowsWhenAJobRunsBesideWhatItWaitsFor() {
    put(hourly("19:00:00"));
    pause("/pause", UNTIL_20);
    CarillonCommands carillon = new CarillonCommands("http://127.0.0.1:" + api.port());

    String head = carillon.type("jobs", "get", "c/j").ok().out();
    assertTrue(head.contains("\nnext      2026-11-20T19:00:00Z"), head);
    assertTrue(head.contains("\nwaits     everything is paused by"), head);
    String list = carillon.type("jobs", "list", "c").ok().out();
    assertTrue(list.contains("2026-11-20T19:00:00Z, waits: everything is paused"), list);
  }

  @Test
  void theCommandLineSaysOfAPlannedPauseThatItIsToCome() {
    put(job().startTime("2035-01-01T00:30:00Z").json());
    pause("/pause", "{`from`:`2035-01-01T00:00:00Z`,`until`:`2035-01-01T01:00:00Z`}");
    CarillonCommands carillon = new CarillonCommands("http://127.0.0.1:" + api.port());

    String due = carillon.type("due").ok().out();

    assertTrue(due.contains("everything will be paused from 2035-01-01T00:00:00Z by"), due);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/pause", GROUP, DISABLE})
  void upcomingOccurrencesSayWhichOfThemLieInAPlannedPause(String path) {
    put(hourly("18:00:00"));
    pause(path, FROM_20_TO_21);

    JsonObject outlook = get(J + "/occurrences");

    JsonObject held = outlook.getJsonArray("pauses").getJsonObject(0);
    assertEquals("2026-11-20T20:00:00Z", held.getJsonObject("waits").getString("since"));
    assertEquals(new JsonArray().add("2026-11-20T20:00:00Z"), held.getJsonArray("occurrences"));
    assertEquals(1, outlook.getJsonArray("pauses").size());
    assertEquals(10, outlook.getJsonArray("occurrences").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/pause", GROUP, DISABLE})
  void theForecastSaysHowManyOccurrencesLieInAPlannedPause(String path) {
    put(job().startTime("2026-11-20T18:00:00Z").recurrence("{`frequency`:`minute`}").json());
    pause(path, "{`from`:`2026-11-20T20:10:00Z`,`until`:`2026-11-20T21:00:30Z`}");

    JsonObject forecast = get("/forecast");

    JsonObject week = forecast.getJsonObject("week");
    assertEquals(60, week.getJsonArray("counts").getInteger(20));
    assertEquals(
        List.of(0, 50, 1, 0),
        List.of(19, 20, 21, 22).stream().map(week.getJsonArray("paused")::getInteger).toList());
    JsonArray day = forecast.getJsonObject("day").getJsonArray("paused");
    assertEquals(51, day.stream().mapToInt(Integer.class::cast).sum());
    JsonObject jobs = get("/forecast/jobs?from=2026-11-20T20:00:00Z&until=2026-11-20T20:20:00Z");
    assertEquals(10, jobs.getInteger("paused"));
    assertEquals(10, first(jobs).getInteger("paused"));
    assertNull(first(jobs).getJsonObject("waits"), "the first is before the pause");
    jobs = get("/forecast/jobs?from=2026-11-20T20:10:00Z&until=2026-11-20T20:20:00Z");
    assertEquals("2026-11-20T20:10:00Z", first(jobs).getJsonObject("waits").getString("since"));
  }

  @Test
  void theForecastDoesNotPutAPauseOnWhatComesBehindIt() {
    put(hourly("19:30:00"));
    pause("/pause", UNTIL_20);
    pause(GROUP, "{`from`:`2026-11-20T19:45:00Z`,`until`:`2026-11-20T20:10:00Z`}");

    JsonObject jobs = get("/forecast/jobs?from=2026-11-20T20:00:00Z&until=2026-11-20T21:00:00Z");
    assertNull(first(jobs).getJsonObject("waits"));
    assertEquals(0, jobs.getInteger("paused"));
    jobs = get("/forecast/jobs?from=2026-11-20T19:00:00Z&until=2026-11-20T20:00:00Z");
    assertEquals("everything", first(jobs).getJsonObject("waits").getString("for"));
    assertEquals(1, jobs.getInteger("paused"));
  }

  @Test
  void upcomingOccurrencesBeginNowBehindTheOneThatIsOverdue() {
    put(
        job()
            .startTime("2026-11-20T18:00:00Z")
            .recurrence("{`frequency`:`second`,`interval`:10}")
            .json());
    api.moveTo(ApiServer.START.plusSeconds(185));

    assertEquals(
        new JsonArray()
            .add("2026-11-20T18:00:00Z")
            .add("2026-11-20T18:03:10Z")
            .add("2026-11-20T18:03:20Z"),
        get(J + "/occurrences?$top=3").getJsonArray("occurrences"));
  }

  @Test
  void soTheyDoWhereTheyCountFromActualStarts() {
    put(job().recurrence("{`frequency`:`second`,`interval`:10,`count`:3}").json());
    api.moveTo(ApiServer.START.plusSeconds(185));

    assertEquals(
        new JsonArray()
            .add("2026-11-20T18:00:00Z")
            .add("2026-11-20T18:03:15Z")
            .add("2026-11-20T18:03:25Z"),
        get(J + "/occurrences").getJsonArray("occurrences"));
  }
}
