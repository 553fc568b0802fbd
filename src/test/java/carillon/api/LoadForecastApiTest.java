package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Test of the future occurrences of all jobs, at 18:00 of 2026-11-20. */
class LoadForecastApiTest extends WithDefaultCollection {
  private void recurring(String name, String recurrence, String more) {
    put(
        name,
        "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
            + "`recurrence`:"
            + recurrence
            + more
            + "}");
  }

  private JsonArray counts(String of) {
    return get("/forecast").getJsonObject(of).getJsonArray("counts");
  }

  private static long sum(JsonArray counts) {
    return counts.stream().mapToLong(count -> ((Number) count).longValue()).sum();
  }

  @Test
  void occurrencesAreCountedByTheMinuteOfADayAndTheHourOfAWeek() {
    recurring("nightly", "{`cron`:`30 2 * * *`}", "");
    recurring("local", "{`cron`:`0 9 * * MON-FRI`}", ",`timeZone`:`Europe/Berlin`");
    put("once", job().startTime("2026-11-21T02:30:59Z").json());
    put("next-month", job().startTime("2026-12-24T02:30:00Z").json());
    put("off", daily().with("state", "disabled").json());

    JsonObject forecast = get("/forecast");

    assertEquals(4, forecast.getInteger("jobs"));
    assertFalse(forecast.containsKey("completeUntil"), "all were looked at");
    assertEquals(0, forecast.getInteger("others"));
    JsonObject day = forecast.getJsonObject("day");
    assertEquals("2026-11-20T18:00:00Z", day.getString("from"));
    assertEquals(1440, day.getJsonArray("counts").size());
    assertEquals(2, day.getJsonArray("counts").getInteger(8 * 60 + 30));
    assertEquals(2, sum(day.getJsonArray("counts")), "the next day is a Saturday");
    JsonObject week = forecast.getJsonObject("week");
    assertEquals("2026-11-20T00:00:00Z", week.getString("from"));
    assertEquals(168, week.getJsonArray("counts").size());
    assertEquals(2, week.getJsonArray("counts").getInteger(24 + 2));
    assertEquals(1, week.getJsonArray("counts").getInteger(3 * 24 + 8), "Monday in Berlin");
    assertEquals(6 + 4 + 1, sum(week.getJsonArray("counts")));
  }

  @Test
  void aJobThatRunsOftenCountsToEachMinuteAndEndsWithItsCount() {
    recurring(
        "often", "{`frequency`:`second`,`interval`:10}", ",`startTime`:`2026-11-20T17:00:00Z`");
    assertEquals(6, counts("day").getInteger(1));
    assertEquals(6, counts("day").getInteger(1439));
    assertEquals(360, counts("week").getInteger(100));
    assertEquals(0, counts("week").getInteger(17), "past");
  }

  @Test
  void aJobWithACountEndsWithIt() {
    recurring(
        "counted",
        "{`frequency`:`second`,`interval`:10,`count`:1000}",
        ",`startTime`:`2026-11-20T18:00:00Z`");
    assertEquals(1000, sum(counts("day")));
    assertEquals(1000, sum(counts("week")));
    assertEquals(360, counts("week").getInteger(18));
    assertEquals(1000 - 720, counts("week").getInteger(20));
  }

  @Test
  void theJobsOfSomeTimeAreListed() {
    recurring("nightly", "{`cron`:`30 2 * * *`}", "");
    put("once", job().startTime("2026-11-22T02:30:59Z").json());
    put("soon", job().startTime("2026-11-20T18:59:59Z").json());

    assertEquals(1, get("/forecast/jobs").getInteger("jobs"), "the next hour");
    JsonObject found = get("/forecast/jobs?from=2026-11-22T02:00:00Z&until=2026-11-22T03:00:00Z");

    assertEquals(2, found.getInteger("jobs"));
    assertEquals(2, found.getInteger("occurrences"));
    JsonObject first = found.getJsonArray("value").getJsonObject(0);
    assertEquals("nightly", first.getString("job"));
    assertEquals("2026-11-22T02:30:00Z", first.getString("first"));
    assertEquals(1, first.getInteger("count"));
    assertTrue(first.getString("schedule").contains("02:30"), first::encode);
    assertEquals("once", found.getJsonArray("value").getJsonObject(1).getString("job"));
    assertEquals(
        0,
        get("/forecast/jobs?from=2026-11-22T03:00:00Z&until=2026-11-22T04:00:00Z")
            .getInteger("jobs"));
    for (String wrong :
        new String[] {
          "?from=soon",
          "?from=2026-11-22T03:00:00Z&until=soon",
          "?from=2026-11-22T03:00:00Z&until=2026-11-22T03:00:00Z",
          "?from=2026-11-22T03:00:00Z&until=2026-11-29T03:00:01Z",
        }) {
      assertEquals(400, api.get("/forecast/jobs" + wrong).status(), wrong);
    }
    api.get("/forecast/jobs?from=2026-11-22T03:00:00Z&until=2026-11-22T02:00:00Z")
        .assertError(
            400,
            "BadRequest",
            "until: '2026-11-22T02:00:00Z' must be after from, '2026-11-22T03:00:00Z', by 7 days"
                + " at most");
  }

  @Test
  void ofManyJobsThoseThatRunNextAreCountedAndTheAnswerTellsUntilWhenTheyAreAll() {
    for (int i = 0; i < 510; i++) {
      put("j" + i, job().startTime("2026-11-21T%02d:%02d:00Z".formatted(i / 60, i % 60)).json());
    }

    JsonObject forecast = get("/forecast");

    assertEquals(500, forecast.getInteger("jobs"));
    assertEquals(10, forecast.getInteger("others"));
    assertEquals("2026-11-21T08:20:00Z", forecast.getString("completeUntil"));
    assertEquals(500, sum(forecast.getJsonObject("day").getJsonArray("counts")));
  }
}
