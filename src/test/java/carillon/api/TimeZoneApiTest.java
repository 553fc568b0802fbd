package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobName;
import carillon.json.schedule.TimeZoneNames;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of jobs in time zones as clients write and read them. */
class TimeZoneApiTest extends WithScheduledJobs {
  private static final String HASH = "carillon:{%s}:job:default/default/default/";

  private static String nightly(String more) {
    return "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
        + "`recurrence`:{`frequency`:`day`}"
        + more
        + "}";
  }

  private static final String BERLIN =
      nightly(",`timeZone`:`Europe/Berlin`,`startTime`:`2027-03-28T02:30:00`");

  /** Returns the field of the job's hash; nothing for a job without a time zone. */
  private List<String> local(String job) {
    String key = HASH.formatted(JobName.partition("default/default/default/" + job, 4)) + job;
    return api.redis.ask("HEXISTS " + key + " local").equals(":1")
        ? api.redis.list("HGET " + key + " local")
        : List.of();
  }

  @Test
  void aJobIsAnsweredAsItWasGiven() {
    put("j", BERLIN);

    JsonObject job = get(JOBS + "j");

    assertEquals("Europe/Berlin", job.getString("timeZone"));
    assertEquals("2027-03-28T02:30:00", job.getString("startTime"));
    assertEquals(
        "2027-03-28T01:30:00Z", job.getJsonObject("status").getString("nextExecutionTime"));
    assertEquals(List.of("2027-03-28T02:30+01:00"), local("j"));
  }

  @Test
  void aChangeKeepsWhatItDoesNotMention() {
    put("j", BERLIN);

    api.patch(JOBS + "j", "{`dst`:{`gap`:`boundary`}}").assertStatus(200);

    JsonObject job = get(JOBS + "j");
    assertEquals("Europe/Berlin", job.getString("timeZone"));
    assertEquals("2027-03-28T02:30:00", job.getString("startTime"));
    assertEquals(new JsonObject().put("gap", "boundary"), job.getJsonObject("dst"));
    assertEquals(
        "2027-03-28T01:00:00Z", job.getJsonObject("status").getString("nextExecutionTime"));
  }

  @Test
  void aLocalStartTimeMovesWithTheTimeZone() {
    put("j", BERLIN);

    api.patch(JOBS + "j", "{`timeZone`:`Eastern Standard Time`}").assertStatus(200);
    assertEquals(
        "2027-03-28T06:30:00Z",
        get(JOBS + "j").getJsonObject("status").getString("nextExecutionTime"));

    api.patch(JOBS + "j", "{`timeZone`:null}").assertStatus(200);
    JsonObject job = get(JOBS + "j");
    assertEquals("2027-03-28T02:30:00Z", job.getString("startTime"));
    assertEquals(List.of(), local("j"));
  }

  @Test
  void resourceManagerHasTheSameProperties() {
    String given = "`startTime`:`2027-03-28T02:30:00`,`timeZone`:`W. Europe Standard Time`";
    api.put(arm("a"), "{`properties`:" + nightly("," + given + ",`dst`:{`gap`:`skip`}") + "}")
        .assertStatus(201);

    JsonObject properties = api.get(arm("a")).assertStatus(200).json().getJsonObject("properties");

    assertEquals("W. Europe Standard Time", properties.getString("timeZone"));
    assertEquals(new JsonObject().put("gap", "skip"), properties.getJsonObject("dst"));
    assertEquals("2027-03-28T02:30:00", properties.getString("startTime"));
    assertEquals(
        "2027-03-29T00:30:00Z", properties.getJsonObject("status").getString("nextExecutionTime"));
  }

  @Test
  void aJobWithoutATimeZoneHasNoFieldOfIt() {
    put("utc", nightly(",`startTime`:`2027-03-28T02:30:00`"));

    assertEquals(List.of(), local("utc"));
    assertEquals("2027-03-28T02:30:00Z", get(JOBS + "utc").getString("startTime"));
  }

  @Test
  void aPreviewShowsLocalTimesAndWhatIsMoved() {
    api.post(
            "/preview",
            "{`timeZone`:`Europe/Berlin`,`startTime`:`2027-03-27T02:30`,`recurrence`:"
                + "{`frequency`:`day`},`top`:3}")
        .assertIs(
            200,
            "{`occurrences`:[`2027-03-27T01:30:00Z`,`2027-03-28T01:30:00Z`,`2027-03-29T00:30:00Z`],"
                + "`localTimes`:[`2027-03-27T02:30:00+01:00`,`2027-03-28T03:30:00+02:00`,"
                + "`2027-03-29T02:30:00+02:00`],"
                + "`moved`:[{`localTime`:`2027-03-28T02:30:00`,`reason`:`gap`,`policy`:`shift`,"
                + "`occurrences`:[`2027-03-28T01:30:00Z`],"
                + "`why`:`does not exist, as the clocks go from 02:00 to 03:00;"
                + " it is 03:30 instead`}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "skip | auto | 2027-03-27T02:30 | does not exist, as the clocks go from 02:00 to 03:00; it is left out",
        "boundary | auto | 2027-03-27T02:30 | does not exist, as the clocks go from 02:00 to 03:00; it is 03:00 instead",
        "shift | auto | 2027-03-28T02:30 | does not exist, as the clocks go from 02:00 to 03:00; it is 03:30 instead",
        "auto | auto | 2027-10-31T02:30 | comes twice, as the clocks go from 03:00 to 02:00; it is the first",
        "auto | last | 2027-10-30T02:30 | comes twice, as the clocks go from 03:00 to 02:00; it is the second",
        "auto | both | 2027-10-30T02:30 | comes twice, as the clocks go from 03:00 to 02:00; it is both",
        "auto | auto | 2027-10-01T09:00 |",
      })
  void aMovedTimeIsToldWithItsReason(String gap, String fold, String start, String why) {
    JsonObject preview =
        api.post(
                "/preview",
                "{`timeZone`:`Europe/Berlin`,`startTime`:`%s`,`dst`:{`gap`:`%s`,`fold`:`%s`},"
                        .formatted(start, gap, fold)
                    + "`recurrence`:{`frequency`:`day`},`top`:4}")
            .json();

    assertEquals(
        why == null ? List.of() : List.of(why),
        preview.getJsonArray("moved").stream()
            .map(moved -> ((JsonObject) moved).getString("why"))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shift | does not exist, as the clocks go from 2011-12-30T00:00 to 2011-12-31T00:00; it is 2011-12-31T10:00 instead",
        "boundary | does not exist, as the clocks go from 2011-12-30T00:00 to 2011-12-31T00:00; it is 2011-12-31T00:00 instead",
        "skip | does not exist, as the clocks go from 2011-12-30T00:00 to 2011-12-31T00:00; it is left out",
      })
  void aDayThatTheClocksLeaveOutIsToldWithItsDate(String gap, String why) {
    JsonObject preview =
        api.post(
                "/preview",
                "{`timeZone`:`Pacific/Apia`,`startTime`:`2011-12-29T10:00`,`dst`:{`gap`:`%s`},"
                        .formatted(gap)
                    + "`recurrence`:{`frequency`:`day`},`top`:2,`now`:`2011-12-29T00:00:00Z`}")
            .json();

    assertEquals(why, preview.getJsonArray("moved").getJsonObject(0).getString("why"));
  }

  @Test
  void aJobThatRunsOnceCannotRunAtBothOfATimeThatComesTwice() {
    String both = "{`timeZone`:`Europe/Berlin`,`startTime`:`%s`,`dst`:{`fold`:`both`}";
    String twice = both.formatted("2027-10-31T02:30");

    api.post("/preview", twice + "}")
        .assertError(
            400,
            "BadRequest",
            "dst.fold: 'both' needs a recurrence, as startTime '2027-10-31T02:30' comes twice in"
                + " this time zone; use first or last");
    api.post("/preview", twice + ",`recurrence`:{`frequency`:`day`}}").assertStatus(200);
    api.post("/preview", both.formatted("2027-10-31T03:30") + "}").assertStatus(200);
  }

  @Test
  void theOnlyOccurrenceMayBeMovedToo() {
    JsonObject preview =
        api.post("/preview", "{`timeZone`:`Europe/Berlin`,`startTime`:`2027-03-28T02:30`}").json();

    assertEquals("2027-03-28T01:30:00Z", preview.getJsonArray("occurrences").getString(0));
    assertEquals(
        "2027-03-28T02:30:00",
        preview.getJsonArray("moved").getJsonObject(0).getString("localTime"));
  }

  @Test
  void whatIsLeftOutBeforeTheFirstOccurrenceIsTold() {
    JsonObject preview =
        api.post(
                "/preview",
                "{`timeZone`:`Europe/Berlin`,`now`:`2027-03-27T12:00:00Z`,`dst`:{`gap`:`skip`},"
                    + "`recurrence`:{`cron`:`30 2 * * *`},`top`:1}")
            .json();

    assertEquals("2027-03-29T00:30:00Z", preview.getJsonArray("occurrences").getString(0));
    assertEquals(1, preview.getJsonArray("moved").size());
  }

  @Test
  void aNameThatIsTooLongIsRefusedAtOnce() {
    String name = ". ".repeat(8000);

    api.post("/preview", "{`timeZone`:`" + name + "`}").assertStatus(400);
  }

  @Test
  void theForecastOfAStoredJobIsInItsTimeZone() {
    put("j", BERLIN);

    JsonObject forecast = get(JOBS + "j/occurrences?$top=1");

    assertEquals("every day at 02:30 Europe/Berlin", forecast.getString("schedule"));
    assertEquals("2027-03-28T03:30:00+02:00", forecast.getJsonArray("localTimes").getString(0));
    assertEquals(1, forecast.getJsonArray("moved").size());
    assertEquals(
        new JsonObject().put("date", "2027-03-28").put("count", 1),
        forecast.getJsonArray("days").getJsonObject(0));
  }

  @Test
  void theTimeZonesAreListed() {
    JsonObject zones = get("/timezones");

    assertEquals(TimeZoneNames.version(), zones.getString("tzdata"));
    assertTrue(zones.getString("tzdata").matches("20\\d\\d[a-z]+"));
    assertTrue(
        zones
            .getJsonArray("value")
            .contains(
                new JsonObject(
                    """
                    {"id": "Europe/Berlin", "windows": ["W. Europe Standard Time"], "offset": "+01:00"}""")));
  }
}
