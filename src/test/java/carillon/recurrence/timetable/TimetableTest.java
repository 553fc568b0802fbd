package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Notation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of the queries of a timetable, beyond its first occurrences. */
class TimetableTest {
  private static final Instant NOON = at("2026-01-01T12:00");

  @Test
  void onlyARecurrenceWithNeitherStartTimeNorScheduleDrifts() {
    assertTrue(table("day", "-").drifts());
    assertFalse(table("day", "2026-01-01T12:00").drifts());
    assertFalse(table("day; hours=5", "-").drifts());
    assertFalse(table("once", "-").drifts());
  }

  @Test
  void aDriftingOccurrenceIsCountedFromTheActualStartOfTheOneBefore() {
    Timetable drifting = table("hour 2", "-");

    assertEquals(some("2026-01-01T14:00:01.3"), drifting.after(at("2026-01-01T12:00:01.3")));
  }

  @Test
  void aGridDoesNotDrift() {
    Timetable hourly = table("hour 2", "2026-01-01T12:00");

    assertEquals(some("2026-01-01T14:00"), hourly.after(at("2026-01-01T12:00:01.3")));
  }

  @Test
  void afterAPauseTheFirstOccurrenceIsComputedAnewFromNow() {
    Instant resumed = at("2026-03-01T08:30:15");

    assertEquals(some("2026-03-01T10:00"), table("hour 2", "2026-01-01T12:00").first(resumed));
    assertEquals(
        some("2026-03-02T05:00"), table("day; hours=5", "2026-01-01T12:00").first(resumed));
    assertEquals(Optional.of(resumed), table("hour 2", "-").first(resumed));
    assertEquals(Optional.of(resumed), table("day; hours=5", "-").first(resumed));
    assertEquals(Optional.of(resumed), table("once", "2026-01-01T12:00").first(resumed));
    assertEquals(some("2026-03-02T05:00"), table("day; hours=5", "-").after(resumed));
  }

  @Test
  void aPauseDoesNotShiftTheWeeksThatCount() {
    Timetable everyOther = table("week 2; weekDays=monday", "-");

    assertEquals(some("2026-01-12T12:00"), everyOther.after(at("2026-01-08T00:00")));
  }

  @Test
  void aOneTimeJobHasNothingAfterItsOccurrence() {
    Timetable once = table("once", "2026-01-02T00:00");

    assertEquals(some("2026-01-02T00:00"), once.after(NOON));
    assertEquals(Optional.empty(), once.after(at("2026-01-02T00:00")));
    assertEquals(Optional.empty(), once.latest(NOON));
    assertEquals(some("2026-01-02T00:00"), once.latest(at("2026-03-01T00:00")));
    assertEquals(1, once.between(NOON, at("2026-03-01T00:00"), 10));
    assertEquals(0, once.between(NOON, at("2026-01-02T00:00"), 10));
  }

  @Test
  void ofADriftingJobOnlyTheFirstOccurrenceIsKnownBeforehand() {
    Timetable drifting = table("hour", "-");

    assertEquals(Optional.of(NOON), drifting.latest(at("2026-03-01T00:00")));
    assertEquals(Optional.empty(), drifting.latest(NOON.minusNanos(1)));
    assertEquals(1, drifting.between(NOON, at("2026-03-01T00:00"), 10));
    assertEquals(0, drifting.between(NOON, at("2026-03-01T00:00"), 0));
  }

  @Test
  void theLatestMissedOccurrenceIsFoundAtOnce() {
    Timetable secondly = table("second", "1970-01-01T00:00:00.5");

    assertEquals(some("2026-01-01T11:59:59.5"), secondly.latest(NOON));
    assertEquals(1_767_268_800, secondly.between(at("1970-01-01T00:00"), NOON, Long.MAX_VALUE));
    assertEquals(1000, secondly.between(at("1970-01-01T00:00"), NOON, 1000));
  }

  @Test
  void manyMissedOccurrencesAreCountedByArithmetic() {
    Instant end = at("3026-01-01T12:00");

    assertEquals(
        12_001, table("month", "2026-01-01T12:00").between(NOON, end.plusNanos(1), 1L << 62));
    assertEquals(
        365_242 * 24L * 60,
        table("minute; minutes=" + everyMinute(), "-").between(NOON, end, 1L << 62));
  }

  private static String everyMinute() {
    StringBuilder minutes = new StringBuilder("0");
    for (int minute = 1; minute < 60; minute++) {
      minutes.append(',').append(minute);
    }
    return minutes.toString();
  }

  @Test
  void nothingLiesBetweenInstantsInTheWrongOrder() {
    assertEquals(0, table("second", "2026-01-01T12:00").between(NOON.plusSeconds(9), NOON, 10));
  }

  @Test
  void noInstantIsTooFarAway() {
    for (String recurrence :
        List.of("second", "month", "day; months=2; hours=5", "hour; hours=5")) {
      Timetable table = table(recurrence, "2026-01-01T12:00");

      assertEquals(table.first(NOON), table.after(Instant.MIN), recurrence);
      assertEquals(table.first(NOON), table.first(Instant.MIN), recurrence);
      assertEquals(Optional.empty(), table.after(Instant.MAX), recurrence);
      assertEquals(Optional.empty(), table.first(Instant.MAX), recurrence);
      assertEquals(Optional.empty(), table.latest(Instant.MIN), recurrence);
      assertTrue(table.latest(Instant.MAX).isPresent(), recurrence);
      assertEquals(5, table.between(Instant.MIN, Instant.MAX, 5), recurrence);
    }
  }

  @Test
  void aStartAfterTheEndOfTimeNeverComes() {
    Instant start = Instant.parse("+10000-01-01T00:00:00Z");
    for (String recurrence : List.of("second", "month", "day; months=2; hours=5", "once")) {
      Timetable table = Notation.timetable(recurrence, start, NOON);

      assertEquals(Optional.empty(), table.first(NOON), recurrence);
      assertEquals(Optional.empty(), table.after(NOON), recurrence);
      assertEquals(Optional.empty(), table.latest(Instant.MAX), recurrence);
      assertEquals(0, table.between(NOON, Instant.MAX, 5), recurrence);
    }
  }

  @Test
  void aPreviewEndsWithItsLimit() {
    assertEquals(List.of(), table("day", "-").preview(NOON, 0));
    assertEquals(List.of(NOON), table("day; count=3", "-").preview(NOON, 1));
  }

  private static Timetable table(String recurrence, String start) {
    return Notation.timetable(recurrence, at(start), NOON);
  }

  private static Instant at(String text) {
    return Notation.instant(text);
  }

  private static Optional<Instant> some(String text) {
    return Optional.of(at(text));
  }
}
