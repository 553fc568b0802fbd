package carillon.json.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.JobException;
import carillon.json.CalendarCodec;
import carillon.json.SubmissionLimits;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        refusal.getMessage().matches("top: '1000' must be at most \\d+: the calendars have .*"),
        refusal::getMessage);
    assertTrue(
        preview("\"cron\":\"30 0 9 * * *\"", "skip", "exclude", 10, calendars)
            .contains("\"2026-12-03T09:00:30Z\""));
  }

  /** Spans that begin once in centuries made a search go through each change of the clocks. */
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
            new CalendarCoverage("c", CalendarCodec.read(json.getBytes(UTF_8)))));
  }
}
