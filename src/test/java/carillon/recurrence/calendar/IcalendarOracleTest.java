package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.Coverage.Lookups;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Comparison of random events with python-dateutil: icalendar-dateutil.py computes the covered
 * time.
 */
class IcalendarOracleTest {
  @ParameterizedTest
  @CsvFileSource(
      resources = "/recurrence/icalendar-dateutil.csv",
      delimiter = '|',
      numLinesToSkip = 1,
      maxCharsPerColumn = 8192)
  void dateutilSaysTheSame(String event, String spans) {
    String text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"
            + event.replace("\\n", "\n")
            + "\nEND:VEVENT\nEND:VCALENDAR";
    List<String> expected = List.of(spans.split(" "));

    List<String> found = first(text, expected.size());
    if (found.get(0).compareTo(expected.get(0)) < 0) {
      // dateutil does not count a start that no rule matches; here it is the first instance
      assertEquals(expected.subList(0, expected.size() - 1), found.subList(1, found.size()), text);
    } else {
      assertEquals(expected, found, text);
    }
  }

  private static List<String> first(String text, int count) {
    CalendarCoverage coverage =
        new CalendarCoverage("test", IcalendarImportTest.read(text).definition());
    List<String> found = new ArrayList<>();
    long at = Instant.parse("2025-12-01T00:00:00Z").getEpochSecond();
    while (found.size() < count && at != Long.MAX_VALUE) {
      var stretch = coverage.at(at, new Lookups());
      if (stretch.isCovered()) {
        found.add(
            Instant.ofEpochSecond(stretch.first()) + "/" + Instant.ofEpochSecond(stretch.end()));
      }
      at = stretch.end();
    }
    return found;
  }
}
