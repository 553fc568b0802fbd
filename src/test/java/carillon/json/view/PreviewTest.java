package carillon.json.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobException;
import carillon.json.schedule.CalendarCodec;
import carillon.json.text.SubmissionLimits;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreviewTest {
  private static final Instant NOW = Instant.parse("2026-11-24T08:00:30Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final Duration AT_ONCE = Duration.ofSeconds(30);

  @Test
  void refusesMoreOccurrencesThanCalendarsCanBeAskedFor() {
    CalendarDirectory calendars = calendars("{\"cron\":\"%d * * * *\",\"lasts\":\"PT20S\"}", 100);

    JobException refusal =
        assertThrows(
            JobException.class,
            () -> preview("\"cron\":\"30 0 9 * * *\"", "skip", "exclude", 1_000, calendars));

    assertTrue(
        refusal.getMessage().matches("top: 1000 must be at most \\d+: the calendars have .*"),
        refusal::getMessage);
    assertTrue(
        preview("\"cron\":\"30 0 9 * * *\"", "skip", "exclude", 10, calendars)
            .contains("\"2026-12-03T09:00:30Z\""));
  }

  @ParameterizedTest
  @CsvSource({
    "nightly,default/default/default/nightly",
    "orders/nightly,default/default/orders/nightly",
    "Orders/Nightly,default/default/orders/nightly",
    "s/g/orders/nightly,s/g/orders/nightly"
  })
  void readsAJobsNameAsTheCommandLineDoes(String name, String key) {
    assertEquals(
        hashed(key), hashed(name), "H stands for what it stands for in the job of that name");
    assertNotEquals(hashed("default/default/default/other"), hashed(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b/c", "a/b/c/d/e", "", "/nightly", "orders/", "or ders/nightly"})
  void refusesWhatIsNoNameOfAJob(String name) {
    JobException refusal = assertThrows(JobException.class, () -> hashed(name));

    assertEquals(
        "job: '" + name + "' must be [COLLECTION/]JOB or SUBSCRIPTION/GROUP/COLLECTION/JOB",
        refusal.getMessage());
  }

  private static String hashed(String job) {
    String json = "{\"recurrence\":{\"cron\":\"H H(0-5) * * *\"},\"job\":\"" + job + "\"}";
    return new String(new Preview(LIMITS).answer(json.getBytes(UTF_8), NOW), UTF_8);
  }

  /** The form would start at the first occurrence, which is in 2048. */
  @Test
  void anExplanationOffersNoFormThatWouldBeRefused() {
    String json =
        "{\"timeZone\":\"Iran Standard Time\",\"recurrence\":{\"cron\":\"15,45 9 * 2 6#5\"},"
            + "\"now\":\"2027-03-28T11:48:00Z\"}";

    String explanation =
        new String(new Explanation(LIMITS).answer(json.getBytes(UTF_8), NOW), UTF_8);

    assertFalse(explanation.contains("\"startTime\""), explanation);
    assertTrue(
        explanation.contains(
            "\"frequency\":\"it would need a startTime of 2048-02-29T05:45:00Z, and that must be at"
                + " most 550 days ahead\""),
        explanation);
  }

  /** Spans that begin once in centuries once made a search visit each clock change. */
  @ParameterizedTest
  @ValueSource(strings = {"skip", "after", "nextDay", "previousDay"})
  void answersWhereCalendarsHaveNearlyNothing(String onExcluded) {
    CalendarDirectory calendars =
        calendars(
            "{\"rrule\":\"FREQ=SECONDLY;INTERVAL=99999%02d;BYMONTH=2;BYMONTHDAY=29\","
                + "\"lasts\":\"PT1H\"}",
            100);

    assertTimeoutPreemptively(
        AT_ONCE,
        () -> {
          try {
            preview("\"cron\":\"0 9 * * *\"", onExcluded, "only", 1_000, calendars);
          } catch (JobException e) {
            assertTrue(e.getMessage().matches("(top|calendars): .*"), e::getMessage);
          }
        });
  }

  private static String preview(
      String recurrence, String onExcluded, String way, int top, CalendarDirectory calendars) {
    String json =
        "{\"startTime\":\"1970-01-01T00:00:00Z\",\"recurrence\":{"
            + recurrence
            + "},\"calendars\":{\""
            + way
            + "\":[\"c\"],\"onExcluded\":\""
            + onExcluded
            + "\"},\"top\":"
            + top
            + "}";
    return new String(new Preview(LIMITS).answer(json.getBytes(UTF_8), NOW, calendars), UTF_8);
  }

  private static CalendarDirectory calendars(String span, int count) {
    String spans =
        IntStream.range(0, count)
            .mapToObj(i -> String.format(span, i % 60))
            .collect(Collectors.joining(","));
    String json = "{\"timeZone\":\"Europe/Berlin\",\"spans\":[" + spans + "]}";
    return new CalendarDirectory(
        Map.of(
            "default/default/c",
            new CalendarCoverage("c", CalendarCodec.read(json.getBytes(UTF_8), "c"))));
  }
}
