package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.Coverage.Lookups;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Random events against python-dateutil: icalendar-dateutil.py tells what they cover. */
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

    assertEquals(expected, first(text, expected.size()), text);
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
