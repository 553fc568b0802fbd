package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.DstPolicy;
import carillon.recurrence.Recurrence;
import carillon.recurrence.WallClock;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of cron expressions as recurrences of jobs. */
@Tag("alone")
class CronTimetableTest {
  private static final Instant NOW = Instant.parse("2027-01-01T09:00:30.5Z");

  private static CronRecurrence cron(String expression) {
    CronRule rule = CronParser.parse(expression, Optional.empty(), "job");
    return new CronRecurrence(
        expression, Optional.empty(), rule, Recurrence.NO_COUNT, Recurrence.NO_END);
  }

  private static List<Instant> instants(String... texts) {
    return Stream.of(texts).map(text -> OffsetDateTime.parse(text).toInstant()).toList();
  }

  @Test
  void withoutAStartTimeItBeginsWithTheNextMatch() {
    Timetable timetable = Timetable.of(cron("*/30 * * * *"), Timetable.NO_START, NOW);

    assertEquals(
        instants("2027-01-01T09:30:00Z", "2027-01-01T10:00:00Z"), timetable.preview(NOW, 2));
    assertFalse(timetable.drifts());
  }

  @Test
  void aStartTimeIsTheEarliestThatMayMatch() {
    Instant start = Instant.parse("2027-01-02T10:00:00Z");
    Timetable timetable = Timetable.of(cron("0 * * * *"), start, NOW);

    assertEquals(instants("2027-01-02T10:00:00Z"), timetable.preview(NOW, 1));
  }

  @Test
  void anIntervalBeginsOneIntervalAfterItsSubmission() {
    Timetable timetable = Timetable.of(cron("@every 90m"), Timetable.NO_START, NOW);

    assertEquals(
        instants("2027-01-01T10:30:30.5Z", "2027-01-01T12:00:30.5Z"), timetable.preview(NOW, 2));
  }

  @Test
  void anIntervalWithAStartTimeBeginsThen() {
    Instant start = Instant.parse("2027-01-02T10:00:00Z");
    Timetable timetable = Timetable.of(cron("rate(1 day)"), start, NOW);

    assertEquals(
        instants("2027-01-02T10:00:00Z", "2027-01-03T10:00:00Z"), timetable.preview(NOW, 2));
  }

  @Test
  void aSingleTimeComesOnce() {
    WallClock berlin = clock("Europe/Berlin");
    Timetable timetable =
        Timetable.of(cron("at(2027-03-28T02:30:00)"), Timetable.NO_START, NOW, Optional.of(berlin));

    assertEquals(instants("2027-03-28T03:30+02:00"), timetable.preview(NOW, 5));
    assertFalse(
        Timetable.of(cron("at(2026-03-28T02:30:00)"), Timetable.NO_START, NOW).everMatches());
  }

  @ParameterizedTest
  @CsvSource({
    // A time in the gap runs later by the length of the gap.
    "30 2 * * *, 2027-03-27T12:00Z, 2027-03-28T03:30+02:00, 2027-03-29T02:30+02:00",
    // A repeated time runs once.
    "30 2 * * *, 2027-10-30T12:00Z, 2027-10-31T02:30+02:00, 2027-11-01T02:30+01:00",
    // A wildcard continues in elapsed time across both changes.
    "*/30 * * * *, 2027-03-28T00:30Z, 2027-03-28T03:00+02:00, 2027-03-28T03:30+02:00",
    "*/30 * * * *, 2027-10-31T00:30Z, 2027-10-31T02:00+01:00, 2027-10-31T02:30+01:00",
    "0 9 * * MON-FRI, 2027-03-26T12:00Z, 2027-03-29T09:00+02:00, 2027-03-30T09:00+02:00"
  })
  void clocksThatChangeAreWatched(String expression, String from, String first, String second) {
    Instant start = OffsetDateTime.parse(from).toInstant();
    Timetable timetable =
        Timetable.of(
            cron(expression), Timetable.NO_START, start, Optional.of(clock("Europe/Berlin")));

    assertEquals(instants(first, second), timetable.preview(start, 2));
  }

  @Test
  void theShortestIntervalIsFound() {
    Duration minute = Duration.ofMinutes(5);

    assertEquals(
        Optional.of(Duration.ofMinutes(1)),
        ShortestInterval.closerThan(minute, cron("58,59 1 * * *"), NOW));
    assertEquals(
        Optional.of(Duration.ofMinutes(4)),
        ShortestInterval.closerThan(minute, cron("@every 4m"), NOW));
    assertEquals(Optional.empty(), ShortestInterval.closerThan(minute, cron("*/5 * * * *"), NOW));
  }

  @Test
  void theNextTimeIsFoundInTwoMicroseconds() {
    Timetable timetable =
        Timetable.of(
            cron("0 9 * * MON-FRI"),
            Timetable.NO_START,
            NOW,
            Optional.of(clock("America/New_York")));
    long fastest = Long.MAX_VALUE;
    for (int round = 0; round < 200; round++) {
      Instant at = NOW;
      long begun = System.nanoTime();
      for (int i = 0; i < 1000; i++) {
        at = timetable.after(at).orElseThrow();
      }
      fastest = Math.min(fastest, (System.nanoTime() - begun) / 1000);
    }

    System.out.println("next of a zoned cron expression: " + fastest + " ns");
    assertTrue(fastest < 20_000, "took " + fastest + " ns");
  }

  private static WallClock clock(String zone) {
    return new WallClock(ZoneId.of(zone), DstPolicy.AUTO, Optional.empty(), Optional.empty());
  }
}
