package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.json.schedule.CalendarCodec;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.calendar.CalendarFileBuilder.CalendarFile;
import carillon.recurrence.calendar.IcalendarImport.Imported;
import carillon.recurrence.calendar.IcalendarImport.LeftOutEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Test of a hundred files in the styles of calendar programs and authorities, compared with the
 * intended spans of their events.
 */
class IcalendarFilesTest {
  private static final int FILES = 100;

  static Stream<Long> seeds() {
    return LongStream.range(0, FILES).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aFileCoversWhatItsEventsMean(long seed) {
    CalendarFile file = new CalendarFileBuilder(seed).build();

    Imported imported =
        CalendarCodec.readIcalendar(file.bytes(), file.timeZone(), file.includesTransparent());

    assertEquals(shown(file.covered()), shown(covered(imported.definition())), file::toString);
    assertEquals(file.leftOut(), reasons(imported), file::toString);
  }

  /** Checks that the files contain each reason. Otherwise the hundred files would prove little. */
  @ParameterizedTest
  @CsvSource({
    "is timed and marked as free time",
    "is cancelled (STATUS:CANCELLED)",
    "never begins",
    "in the years 1970 to 9999",
    "is no time zone known here",
    "takes up no time",
    "is taken out by its EXDATE",
    "is no event",
  })
  void theFilesLeaveOutForEachReason(String reason) {
    Set<String> reasons =
        seeds()
            .flatMap(seed -> new CalendarFileBuilder(seed).build().leftOut().stream())
            .collect(Collectors.toSet());

    assertEquals(true, reasons.stream().anyMatch(one -> one.endsWith(reason)), reasons::toString);
  }

  /** Returns title and known part of the reason of each omitted event. */
  private static List<String> reasons(Imported imported) {
    return imported.leftOut().stream().map(IcalendarFilesTest::reason).sorted().toList();
  }

  private static String reason(LeftOutEvent event) {
    String reason =
        CalendarFileBuilder.REASONS.stream()
            .filter(event.reason()::contains)
            .findFirst()
            .orElse(event.reason());
    return event.event() + ": " + reason;
  }

  /** Returns the covered time of a calendar in the tested year, in order and merged. */
  private static List<long[]> covered(CalendarDefinition definition) {
    CalendarCoverage coverage = new CalendarCoverage("test", definition);
    Lookups lookups = new Lookups();
    List<long[]> covered = new ArrayList<>();
    for (long at = CalendarFileBuilder.FIRST; at < CalendarFileBuilder.LAST; ) {
      Stretch stretch = coverage.at(at, lookups);
      if (stretch.isCovered()) {
        covered.add(new long[] {at, Math.min(stretch.end(), CalendarFileBuilder.LAST)});
      }
      at = stretch.end();
    }
    return CalendarFileBuilder.merged(covered);
  }

  private static String shown(List<long[]> spans) {
    return spans.stream()
        .map(span -> Instant.ofEpochSecond(span[0]) + " " + Instant.ofEpochSecond(span[1]))
        .collect(Collectors.joining("\n"));
  }
}
