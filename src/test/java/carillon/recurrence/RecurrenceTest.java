package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.rrule.RruleParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the valid recurrences, and of the messages for invalid ones. */
class RecurrenceTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(resources = "/recurrence/refusals.csv", delimiter = '|', numLinesToSkip = 1)
  void whatDoesNotFitIsRefusedByNameAndValue(String recurrence, String message) {
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> Notation.recurrence(recurrence));

    assertEquals(message, refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "second 1000",
        "minute 1000; minutes=0,59; hours=0,23",
        "hour 1000; minutes=0,59; hours=0,23",
        "day 548; minutes=0; hours=0; months=1,12",
        "week 78; minutes=0; hours=0; months=1,12; weekDays=sunday,saturday",
        "month 18; monthDays=1,31,-1,-31; monthlyOccurrences=monday:5,monday:-5,monday; months=1",
        "year 10; minutes=0; hours=0",
        "day; count=2147483647; end=2026-01-01T00:00"
      })
  void theLimitsThemselvesAreAllowed(String recurrence) {
    Notation.recurrence(recurrence);
  }

  static Stream<Recurrence> ending() {
    Instant end = Instant.parse("2026-01-01T00:00:00Z");
    LocalDateTime time = LocalDateTime.parse("2025-03-01T09:00");
    return Stream.of(
        Notation.recurrence("week 2; count=5; weekDays=monday; end=2026-01-01T00:00"),
        new CronRecurrence(
            "at(" + time + ")", Optional.of(CronDialect.AWS), new CronRule.Once(time), 5, end),
        new RruleRecurrence(List.of("FREQ=DAILY"), true, RruleParser.parse("FREQ=DAILY"), 5, end));
  }

  @ParameterizedTest
  @MethodSource("ending")
  void withoutItsEndARecurrenceIsTheSameOtherwise(Recurrence recurrence) {
    Recurrence endless = recurrence.withoutEnd();

    assertEquals(Recurrence.NO_END, endless.endTime());
    assertEquals(
        recurrence.toString(),
        endless.toString().replace(endless.endTime().toString(), recurrence.endTime().toString()));
  }

  @Test
  void aScheduleKeepsTheGivenOrderAndItsOwnCopy() {
    List<Integer> hours = new ArrayList<>(List.of(17, 5));
    Schedule schedule = new Schedule(List.of(), hours, List.of(), List.of(), List.of(), List.of());

    hours.clear();

    assertEquals(List.of(17, 5), schedule.hours());
  }

  @Test
  void aScheduleIsEmptyOnlyWithoutAnyField() {
    Schedule months =
        new Schedule(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(1));

    assertTrue(Schedule.NONE.isEmpty());
    assertFalse(months.isEmpty());
  }
}
