package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.Notation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Test of the tables of expected occurrences. Each row states its reason. */
class TimetableTableTest {
  @ParameterizedTest(name = "{0} from {1}, now {2}: {4}")
  @CsvFileSource(
      resources = {
        "/recurrence/seeds-schedules.csv",
        "/recurrence/start-times.csv",
        "/recurrence/decisions.csv",
        "/recurrence/calendar.csv"
      },
      delimiter = '|',
      numLinesToSkip = 1)
  void theFirstOccurrencesAreThoseOfTheTable(
      String recurrence, String start, String now, String expected, String why) {
    Instant submitted = Notation.instant(now);
    Timetable timetable = Notation.timetable(recurrence, Notation.instant(start), submitted);
    List<String> words = new ArrayList<>(Arrays.asList(expected.split(" ")));
    boolean ends = words.remove("end");

    List<Instant> found = timetable.preview(submitted, words.size() + (ends ? 1 : 0));

    assertEquals(words.stream().map(Notation::instant).toList(), found, why);
  }
}
