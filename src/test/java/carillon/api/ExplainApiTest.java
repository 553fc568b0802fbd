package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.text.SubmissionLimits;
import carillon.json.view.Explanation;
import carillon.support.ProcessorTime;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of explained schedules and their translations into other forms. */
@Tag("alone")
class ExplainApiTest extends WithScheduledJobs {
  /** Maximum time that one explanation may block a node with many other requests. */
  private static final Duration MAX_TIME = Duration.ofMillis(50);

  private static final SubmissionLimits LIMITS =
      new SubmissionLimits(
          1 << 24,
          1 << 16,
          1000,
          1 << 20,
          1 << 24,
          Duration.ofDays(36_600),
          Duration.ofMillis(1),
          Duration.ofHours(1));

  private JsonObject explain(String document) {
    return api.post("/explain", document).assertStatus(200).json();
  }

  private static JsonObject form(JsonObject answer, String form) {
    return answer.getJsonObject("same").getJsonObject(form);
  }

  private static String cron(JsonObject answer, String form) {
    return form(answer, form).getJsonObject("recurrence").getString("cron");
  }

  @Test
  void anExpressionInATimeZoneIsExplained() {
    JsonObject answer =
        explain(
            "{`recurrence`:{`cron`:`30 2 * * *`},`timeZone`:`W. Europe Standard Time`,"
                + "`now`:`2027-03-27T12:00:00Z`,`top`:2}");

    assertEquals("every day at 02:30 Europe/Berlin", answer.getString("words"));
    assertEquals("Europe/Berlin", answer.getJsonObject("timeZone").getString("id"));
    assertEquals("W. Europe Standard Time", answer.getJsonObject("timeZone").getString("given"));
    JsonObject moved = answer.getJsonArray("occurrences").getJsonObject(0);
    assertEquals("2027-03-28T01:30:00Z", moved.getString("at"));
    assertEquals("2027-03-28T03:30:00+02:00", moved.getString("local"));
    assertEquals(
        "2027-03-28T02:30:00 does not exist, as the clocks go from 02:00 to 03:00;"
            + " it is 03:30 instead",
        moved.getString("because"));
    assertEquals(2, answer.getJsonArray("occurrences").getJsonObject(1).size());
    assertEquals("0 30 2 * * ?", cron(answer, "quartz"));
    assertEquals("cron(30 2 * * ? *)", cron(answer, "aws"));
    assertEquals(
        new JsonObject(
            "{'startTime':'2027-03-27T23:30:00Z','recurrence':{'frequency':'day','interval':1,"
                    .replace('\'', '"')
                + "\"schedule\":{\"minutes\":[30],\"hours\":[2]}}}"),
        form(answer, "frequency"));
    assertTrue(answer.getJsonArray("warnings").encode().contains("dstGap"));
  }

  /** Kathmandu is 5:45 ahead of UTC, so that minutes and days must name their time zone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "`cron`:`30 * * * *` | every hour at minute 30, by the clock of Asia/Kathmandu",
        "`cron`:`*/15 * * * MON-FRI`"
            + " | every 15 minutes on Monday to Friday, by the clock of Asia/Kathmandu",
        "`rrule`:`FREQ=HOURLY;BYMINUTE=5` | every hour at minute 5, by the clock of Asia/Kathmandu",
        "`frequency`:`hour`,`schedule`:{`minutes`:[5]}"
            + " | every hour at minute 5, by the clock of Asia/Kathmandu",
        "`cron`:`0 9 * * *` | every day at 09:00 Asia/Kathmandu",
        "`cron`:`*/20 * * * *` | every 20 minutes",
        "`cron`:`@every 90m` | every 90 minutes"
      })
  void theWordsTellTheZoneWhereItMatters(String recurrence, String words) {
    JsonObject answer = explain("{`recurrence`:{" + recurrence + "},`timeZone`:`Asia/Kathmandu`}");

    assertEquals(words, answer.getString("words"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "`now`:`2027-03-27T12:00:00Z` | dstGap | 2027-03-28T02:30 does not exist",
        "`now`:`2027-03-28T12:00:00Z` | dstGap | 2028-03-26T02:30 does not exist",
        "`now`:`2027-03-27T12:00:00Z`,`dst`:{`gap`:`skip`} | dstGap | 2028-03-26T02:30 does not",
        "`now`:`2027-10-30T12:00:00Z`,`dst`:{`fold`:`last`} | dstFold | 2027-10-31T02:30 comes",
        "`now`:`2027-10-31T12:00:00Z` | dstFold | 2028-10-29T02:30 comes twice",
      })
  void theNextChangeOfTheClocksIsTheOneWarnedOf(String given, String code, String message) {
    JsonObject answer =
        explain("{`recurrence`:{`cron`:`30 2 * * *`},`timeZone`:`Europe/Berlin`," + given + "}");

    assertTrue(
        answer.getJsonArray("warnings").stream()
            .map(JsonObject.class::cast)
            .anyMatch(
                warning ->
                    warning.getString("code").equals(code)
                        && warning.getString("message").startsWith(message)),
        answer.encode());
  }

  @Test
  void whatAFormCannotSayHasItsReason() {
    JsonObject answer = explain("{`recurrence`:{`cron`:`0 9 13 * FRI`}}");

    assertEquals("either", answer.getString("dayFields"));
    assertEquals("unix", answer.getString("cronDialect"));
    assertEquals(
        "no field of days alone can name these days in quartz",
        answer.getJsonObject("whyNot").getString("quartz"));
    assertEquals(
        "month", form(answer, "frequency").getJsonObject("recurrence").getString("frequency"));
  }

  @Test
  void aFrequencyWithoutAStartIsNoExpression() {
    JsonObject answer =
        explain("{`recurrence`:{`frequency`:`day`,`schedule`:{`hours`:[5],`minutes`:[0]}}}");

    assertEquals(
        "without startTime it runs at once, when it is submitted, and a cron expression does not",
        answer.getJsonObject("whyNot").getString("unix"));
    assertTrue(answer.getJsonArray("warnings").encode().contains("runsAtOnce"));
    assertFalse(answer.getJsonArray("warnings").encode().contains("minuteOfStart"));
  }

  @Test
  void hoursWithoutMinutesHaveTheMinuteOfTheStart() {
    JsonObject answer = explain("{`recurrence`:{`frequency`:`day`,`schedule`:{`hours`:[5]}}}");

    assertTrue(answer.getJsonArray("warnings").encode().contains("minuteOfStart"));
  }

  @Test
  void onlyTheFormThatIsAskedForIsTold() {
    JsonObject answer = explain("{`recurrence`:{`cron`:`0 9 * * MON-FRI`},`to`:`quartz`}");

    assertEquals(1, answer.getJsonObject("same").size());
    assertEquals("0 0 9 ? * MON-FRI", cron(answer, "quartz"));
  }

  @Test
  void hIsResolvedForTheJob() {
    JsonObject answer =
        explain("{`recurrence`:{`cron`:`H H(0-5) * * *`},`job`:`default/default/c/j`}");
    String resolved = answer.getString("resolved");
    JsonObject again = explain("{`recurrence`:{`cron`:`" + resolved + "`}}");

    assertTrue(resolved.matches("\\d+ [0-5] \\* \\* \\*"), resolved);
    assertEquals(answer.getJsonArray("occurrences"), again.getJsonArray("occurrences"));
  }

  @Test
  void theZoneInFrontOfAnExpressionStandsBesideOtherForms() {
    JsonObject answer = explain("{`recurrence`:{`cron`:`CRON_TZ=Asia/Tokyo 0 9 * * *`}}");

    assertEquals("Asia/Tokyo", form(answer, "quartz").getString("timeZone"));
    assertEquals(null, form(answer, "unix").getString("timeZone"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`recurrence`:{`cron`:`*/7 * * * *`}} | unevenStep",
        "{`recurrence`:{`cron`:`*/40 * * * *`}} | unevenStep",
        "{`recurrence`:{`cron`:`0 0 31 * *`}} | shortMonths",
        "{`recurrence`:{`cron`:`0 0 29 2 *`}} | leapDay",
        "{`recurrence`:{`cron`:`* * * * * *`}} | everySecond",
        "{`recurrence`:{`cron`:`0 0 1 * MON`}} | bothDayFields",
        "{`startTime`:`2027-01-01T00:00:01Z`,`recurrence`:{`cron`:`0 0 1 * *`}} | startOutsideRule",
        "{`recurrence`:{`frequency`:`second`}} | everySecond",
        "{`timeZone`:`Europe/Berlin`,`recurrence`:{`cron`:`30 2 * * *`}} | dstFold",
      })
  void whatPeopleSeldomExpectIsAWarning(String document, String code) {
    assertTrue(
        explain(document).getJsonArray("warnings").stream()
            .anyMatch(warning -> ((JsonObject) warning).getString("code").equals(code)));
  }

  @Test
  void aJobThatRunsOnceHasNoForms() {
    JsonObject answer = explain("{`startTime`:`2027-01-01T00:00:00Z`}");

    assertEquals("once, on 2027-01-01 00:00 UTC", answer.getString("words"));
    assertTrue(!answer.containsKey("same"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "`` | Malformed explanation",
        "{`to`:`unix`} | to: 'unix' needs a recurrence",
        "{`recurrence`:{`cron`:`0 9 * * *`},`to`:`vixie`} | to: 'vixie' must be one of",
        "{`recurrence`:{`cron`:`0 9 * * *`},`to`:7} | to: 7",
        "{`recurrence`:{`cron`:`0 9 * * *`},`form`:`unix`} | form",
        "{`recurrence`:{`cron`:`0 25 * * *`}} | recurrence.cron: '0 25 * * *'",
        "{`recurrence`:{`cron`:`H * * * *`}} | say which job",
        "{`recurrence`:{`cron`:`0 0 30 2 *`}} | recurrence.cron",
        "{`recurrence`:{`frequency`:`day`,`interval`:0}} | recurrence.interval",
        "{`recurrence`:{`cron`:`0 9 * * *`},`timeZone`:`Mars/Base`} | timeZone: 'Mars/Base'",
        "{`recurrence`:{`cron`:`0 9 * * *`},`dst`:{`gap`:`skip`}} | dst: needs a timeZone",
        "{`recurrence`:{`cron`:`0 9 * * *`},`top`:1001} | top: 1001",
        "{`recurrence`:{`cron`:`0 9 * * *`},`now`:`soon`} | now: 'soon'",
        "{`recurrence`:[]} | recurrence",
        "{`recurrence`:{`cron`:`0 9 * * *`},`startTime`:`2027-13-01`} | startTime: '2027-13-01'",
      })
  void aBadInputIsRefusedWithFieldValueAndRule(String document, String message) {
    Answer answer = api.post("/explain", document);

    answer.assertStatus(400);
    assertTrue(answer.body().contains(message), answer.body());
  }

  private static void explainOrRefuse(Explanation explanation, byte[] asked) {
    try {
      assertTrue(explanation.answer(asked, Instant.parse("2026-11-23T12:00:00Z")).length > 0);
    } catch (JobException refused) {
      assertEquals(ErrorCode.INVALID, refused.code());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`recurrence`:{`cron`:`0 0 29 2 MON#5`},`timeZone`:`America/New_York`,`top`:1000}",
        "{`recurrence`:{`cron`:`59 59 23 29 2 ? 2096`,`cronDialect`:`quartz`},`top`:1000}",
        "{`recurrence`:{`cron`:`* * * * * *`},`timeZone`:`Australia/Lord_Howe`,`top`:1000}",
        "{`startTime`:`1970-01-01`,`recurrence`:{`frequency`:`second`},`top`:1000}",
        "{`startTime`:`2000-02-29`,`recurrence`:{`frequency`:`month`,`interval`:13,`schedule`:"
            + "{`monthlyOccurrences`:[{`day`:`sunday`,`occurrence`:5}],`months`:[2]}},`top`:1000}",
        "{`recurrence`:{`cron`:`0 0 */2,15W,LW,L-3 1-11/2 MON#1,5L`},`timeZone`:`Africa/Casablanca`,"
            + "`top`:1000}",
      })
  void noScheduleTakesLong(String document) {
    Explanation explanation = new Explanation(LIMITS);
    byte[] asked = document.replace('`', '"').getBytes(StandardCharsets.UTF_8);
    ProcessorTime.assertWithin(MAX_TIME, document, () -> explainOrRefuse(explanation, asked));
  }
}
