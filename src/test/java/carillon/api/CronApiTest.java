package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Test of jobs with cron expressions as clients write and read them. */
class CronApiTest extends WithScheduledJobs {
  @Test
  void weekdaysAtNineInBerlin() {
    put("j", job("{`cron`:`0 9 * * MON-FRI`}", ",`timeZone`:`Europe/Berlin`"));

    assertEquals(new JsonObject().put("cron", "0 9 * * MON-FRI"), recurrence("j"));
    assertEquals("2026-11-23T08:00:00Z", next("j"));
  }

  @Test
  void theZoneInFrontOfTheExpressionCounts() {
    put("j", job("{`cron`:`CRON_TZ=America/New_York 0 9 * * MON-FRI`}", ""));

    assertEquals("2026-11-23T14:00:00Z", next("j"));
    assertEquals(null, get(JOBS + "j").getString("timeZone"));
  }

  @Test
  void aChangeFromAFrequencyToAnExpressionAndBackReplacesIt() {
    put(
        "j",
        job(
            "{`frequency`:`week`,`count`:5,`schedule`:{`weekDays`:[`monday`]}}",
            ",`startTime`:`2026-11-23`"));

    api.patch(JOBS + "j", "{`recurrence`:{`cron`:`0 0 9 ? * 2`,`cronDialect`:`quartz`}}")
        .assertStatus(200);
    assertEquals(
        new JsonObject().put("cron", "0 0 9 ? * 2").put("cronDialect", "quartz").put("count", 5),
        recurrence("j"));
    assertEquals("2026-11-23T09:00:00Z", next("j"));

    api.patch(JOBS + "j", "{`recurrence`:{`frequency`:`day`}}").assertStatus(200);
    assertEquals(
        new JsonObject().put("frequency", "day").put("count", 5).put("interval", 1),
        recurrence("j"));
  }

  @Test
  void aHashedValueIsTheJobsOwnAndStays() {
    put("one", job("{`cron`:`H H * * *`}", ""));
    put("two", job("{`cron`:`H H * * *`}", ""));
    String next = next("one");

    assertNotEquals(next, next("two"));
    api.patch(JOBS + "one", "{`action`:{`request`:{`method`:`POST`}}}").assertStatus(200);
    assertEquals(next, next("one"));
  }

  @Test
  void resourceManagerHasTheSameProperties() {
    api.put(arm("a"), "{`properties`:" + job("{`cron`:`@hourly`}", "") + "}").assertStatus(201);

    JsonObject properties = api.get(arm("a")).assertStatus(200).json().getJsonObject("properties");

    assertEquals("@hourly", properties.getJsonObject("recurrence").getString("cron"));
  }

  @Test
  void whatCannotBeReadIsRefusedByFieldValueAndRule() {
    api.put(JOBS + "j", job("{`cron`:`0 25 * * *`}", ""))
        .assertError(
            400,
            "BadRequest",
            "recurrence.cron: '0 25 * * *' cannot be read: hour: 25 is not in 0..23");
  }
}
