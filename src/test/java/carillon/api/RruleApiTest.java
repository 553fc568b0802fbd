package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Test of jobs with rules of iCalendar as clients write and read them. */
class RruleApiTest extends WithScheduledJobs {
  private static final String LINES =
      "[`DTSTART;TZID=Europe/Berlin:20261123T090000`,`RRULE:FREQ=WEEKLY;BYDAY=MO,FR`,"
          + "`EXDATE;TZID=Europe/Berlin:20261127T090000`]";

  @Test
  void theLastFridayOfTheMonthInBerlin() {
    put(
        "j",
        job(
            "{`rrule`:`FREQ=MONTHLY;BYDAY=-1FR`}",
            ",`timeZone`:`Europe/Berlin`,`startTime`:`2026-11-01T17:00:00`"));

    assertEquals("2026-11-27T16:00:00Z", next("j"));
  }

  @Test
  void theLinesSayStartAndTimeZoneAndAreAnsweredAsGiven() {
    put("j", job("{`rrule`:" + LINES + "}", ""));

    JsonObject answered = get(JOBS + "j");
    assertEquals("2026-11-23T08:00:00Z", next("j"));
    assertEquals(
        new JsonArray(LINES.replace('`', '"')),
        answered.getJsonObject("recurrence").getJsonArray("rrule"));
    assertFalse(answered.containsKey("startTime"));
    assertFalse(answered.containsKey("timeZone"));
  }

  @Test
  void whatIsAnsweredCanBePutBack() {
    put("j", job("{`rrule`:" + LINES + "}", ""));
    JsonObject answered = get(JOBS + "j");
    answered.remove("status");

    api.put(JOBS + "j", answered.encode()).assertStatus(200);

    assertEquals(answered.getJsonObject("recurrence"), recurrence("j"));
    assertEquals("2026-11-23T08:00:00Z", next("j"));
  }

  @Test
  void aChangeFromAnExpressionToARuleAndBackReplacesIt() {
    put("j", job("{`cron`:`0 9 * * *`,`count`:5}", ""));

    api.patch(JOBS + "j", "{`recurrence`:{`rrule`:`FREQ=DAILY;BYHOUR=7;BYMINUTE=0;BYSECOND=0`}}")
        .assertStatus(200);
    JsonObject rule = new JsonObject().put("rrule", "FREQ=DAILY;BYHOUR=7;BYMINUTE=0;BYSECOND=0");
    assertEquals(rule.put("count", 5), recurrence("j"));

    api.patch(JOBS + "j", "{`recurrence`:{`frequency`:`day`}}").assertStatus(200);
    assertEquals(
        new JsonObject().put("frequency", "day").put("count", 5).put("interval", 1),
        recurrence("j"));
  }

  @Test
  void aPreviewSaysTheRuleInWords() {
    JsonObject answer =
        api.post(
                "/preview",
                "{`timeZone`:`Europe/Berlin`,`startTime`:`2027-03-26T02:30:00`,"
                    + "`recurrence`:{`rrule`:`FREQ=DAILY`},`top`:4}")
            .assertStatus(200)
            .json();

    assertEquals(
        new JsonArray()
            .add("2027-03-26T01:30:00Z")
            .add("2027-03-27T01:30:00Z")
            .add("2027-03-28T01:30:00Z")
            .add("2027-03-29T00:30:00Z"),
        answer.getJsonArray("occurrences"));
    assertEquals(1, answer.getJsonArray("moved").size());
  }

  @Test
  void resourceManagerHasTheSameProperties() {
    api.put(arm("a"), "{`properties`:" + job("{`rrule`:`FREQ=DAILY`}", "") + "}").assertStatus(201);

    JsonObject properties = api.get(arm("a")).assertStatus(200).json().getJsonObject("properties");

    assertEquals("FREQ=DAILY", properties.getJsonObject("recurrence").getString("rrule"));
  }
}
