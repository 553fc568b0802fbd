package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Model;
import carillon.recurrence.Notation;
import carillon.support.Effort;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Test of the distinction between definitions that never run and those with a long wait. */
class TimetableEverMatchesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:25:00Z");

  @ParameterizedTest(name = "{0} from {1}: {3}")
  @CsvFileSource(resources = "/recurrence/ever-matches.csv", delimiter = '|', numLinesToSkip = 1)
  void whetherAnythingMatchesIsDecidedQuickly(
      String recurrence, String start, boolean matches, String why) {
    Instant from = Notation.instant(start);
    Timetable timetable = Notation.timetable(recurrence, from, from);

    assertEquals(matches, timetable.everMatches(), why);
    assertEquals(matches, timetable.first(from).isPresent(), why);
    assertEquals(matches, timetable.latest(Instant.MAX).isPresent(), why);
    Effort effort = new Effort();
    search(timetable, from, 1000);
    effort.assertSmall(() -> why);
  }

  private static void search(Timetable timetable, Instant from, int times) {
    for (int i = 0; i < times; i++) {
      timetable.first(from);
      timetable.latest(Instant.MAX);
    }
  }

  @ParameterizedTest(name = "{0} from {1}: {3}")
  @CsvFileSource(resources = "/recurrence/ever-matches.csv", delimiter = '|', numLinesToSkip = 1)
  void theTableAgreesWithTheModel(String recurrence, String start, boolean matches, String why) {
    Model model = new Model(Notation.recurrence(recurrence), Model.utc(Notation.instant(start)));

    assertEquals(matches, model.everMatches(), why);
  }

  @Test
  void theEndTimeDoesNotCount() {
    Timetable ended = Notation.timetable("day; hours=5; end=2020-01-01T00:00", NOW, NOW);

    assertTrue(ended.everMatches());
    assertTrue(ended.first(NOW).isEmpty());
  }

  @Test
  void withoutAStartTimeRunningAtOnceIsNotEnough() {
    Timetable never = Notation.timetable("month; monthDays=30; months=2", Timetable.NO_START, NOW);

    assertFalse(never.everMatches());
    assertTrue(never.first(NOW).isPresent());
  }

  @Test
  void oneTimeAndDriftingJobsAlwaysMatch() {
    assertTrue(Timetable.once(Timetable.NO_START, NOW).everMatches());
    assertTrue(Notation.timetable("day", Timetable.NO_START, NOW).everMatches());
  }
}
