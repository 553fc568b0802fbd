package carillon.recurrence.calendar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import carillon.recurrence.calendar.CalendarSpan.Bound;
import carillon.recurrence.calendar.CalendarSpan.Day;
import carillon.recurrence.calendar.CalendarSpan.Period;
import carillon.recurrence.calendar.CalendarSpan.Repeated;
import carillon.recurrence.calendar.CalendarSpan.SpanLength;
import carillon.recurrence.calendar.CalendarSpan.WeekDays;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarCoverageTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void aDayIsCoveredFromMidnightToMidnightOfItsZone() {
    CalendarCoverage coverage =
        coverage(BERLIN, new Day(LocalDate.of(2026, 12, 25), Optional.of("Christmas Day")));

    Stretch stretch = coverage.at(second("2026-12-25T12:00:00Z"), new Lookups());

    assertEquals(second("2026-12-24T23:00:00Z"), stretch.first());
    assertEquals(second("2026-12-25T23:00:00Z"), stretch.end());
    assertEquals(Optional.of("Christmas Day"), stretch.cause().orElseThrow().span());
    assertEquals("test", stretch.cause().orElseThrow().calendar());
    assertEquals(
        new Stretch(stretch.end(), Long.MAX_VALUE, Optional.empty()),
        coverage.at(stretch.end(), new Lookups()));
  }

  @Test
  void aDayThatAZoneNeverHadCoversNothing() {
    CalendarCoverage coverage =
        coverage(ZoneId.of("Pacific/Apia"), new Day(LocalDate.of(2011, 12, 30), Optional.empty()));

    assertEquals(Stretch.FREE, coverage.at(second("2011-12-30T10:00:00Z"), new Lookups()));
  }

  @ParameterizedTest
  @CsvSource({
    "P1D,     2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
    "PT24H,   2026-03-28T23:00:00Z, 2026-03-29T23:00:00Z",
    "P1DT1H,  2026-03-28T23:00:00Z, 2026-03-29T23:00:00Z",
    "P1W,     2026-03-28T23:00:00Z, 2026-04-04T22:00:00Z",
  })
  void daysOfALengthAreDaysOfTheClock(String length, String begin, String end) {
    SpanClock clock = new SpanClock(BERLIN);

    assertEquals(second(end), clock.after(second(begin), SpanLength.parse(length)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "P", "PT", "1D", "P1M", "P1Y", "PT0S", "P367D", "PT1.5S", "-P1D"})
  void refusesWhatIsNoLength(String text) {
    assertThrows(IllegalArgumentException.class, () -> SpanLength.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"P1D, P1D", "P2W, P14D", "PT90M, PT1H30M", "P1DT4H, P1DT4H"})
  void tellsALength(String text, String told) {
    assertEquals(told, SpanLength.parse(text).text());
    assertEquals(SpanLength.parse(text), SpanLength.parse(told));
  }

  @Test
  void refusesAPeriodThatEndsBeforeItBegins() {
    Bound bound = new Bound(LocalDateTime.of(2026, 1, 1, 0, 0), Optional.empty());

    assertThrows(
        IllegalArgumentException.class,
        () -> coverage(BERLIN, new Period(bound, bound, Optional.empty())));
  }

  /** Compares the coverage with a slow evaluation of each span at the queried seconds. */
  @Test
  void coversWhatItsSpansSay() {
    Random random = new Random(1);
    for (int round = 0; round < 400; round++) {
      ZoneId zone = CalendarRandoms.zone(random);
      List<CalendarSpan> spans = CalendarRandoms.spans(random);
      CalendarCoverage coverage =
          new CalendarCoverage("test", new CalendarDefinition(Optional.empty(), zone, spans));
      for (int probe = 0; probe < 60; probe++) {
        long second = CalendarRandoms.second(random, zone);
        Stretch stretch = coverage.at(second, new Lookups());
        String what = zone + " " + spans + " at " + Instant.ofEpochSecond(second) + ": " + stretch;
        assertTrue(stretch.first() <= second && second < stretch.end(), what);
        assertEquals(covers(spans, zone, second), stretch.isCovered(), what);
        for (long within : List.of(stretch.first(), stretch.end() - 1, middle(stretch, random))) {
          long clipped = Math.max(second - 10_000_000, Math.min(within, second + 10_000_000));
          assertEquals(
              covers(spans, zone, clipped),
              stretch.isCovered(),
              what + " but at " + Instant.ofEpochSecond(clipped));
        }
      }
    }
  }

  private static long middle(Stretch stretch, Random random) {
    long first = Math.max(stretch.first(), -1L << 40);
    long end = Math.min(stretch.end(), 1L << 40);
    return first + (long) ((end - first) * random.nextDouble());
  }

  static boolean covers(List<CalendarSpan> spans, ZoneId zone, long second) {
    return spans.stream().anyMatch(span -> covers(span, zone, Instant.ofEpochSecond(second)));
  }

  private static boolean covers(CalendarSpan span, ZoneId zone, Instant at) {
    if (span instanceof Day day) {
      return isOn(day.date(), zone, at);
    }
    if (span instanceof WeekDays week) {
      LocalDate around = at.atZone(zone).toLocalDate();
      return List.of(around.minusDays(1), around, around.plusDays(1)).stream()
          .anyMatch(day -> week.days().contains(day.getDayOfWeek()) && isOn(day, zone, at));
    }
    if (span instanceof Period period) {
      return !at.isBefore(first(period.from().time(), zone))
          && at.isBefore(last(period.to().time(), zone));
    }
    return CalendarRandoms.begins((Repeated) span, zone, at.minus(Duration.ofDays(10)), at).stream()
        .anyMatch(begin -> at.isBefore(CalendarRandoms.end(begin, (Repeated) span, zone)));
  }

  private static boolean isOn(LocalDate day, ZoneId zone, Instant at) {
    return !at.isBefore(day.atStartOfDay(zone).toInstant())
        && at.isBefore(day.plusDays(1).atStartOfDay(zone).toInstant());
  }

  private static Instant first(LocalDateTime local, ZoneId zone) {
    return zone.getRules().getValidOffsets(local).isEmpty()
        ? zone.getRules().getTransition(local).getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }

  private static Instant last(LocalDateTime local, ZoneId zone) {
    return zone.getRules().getValidOffsets(local).isEmpty()
        ? first(local, zone)
        : local.atZone(zone).withLaterOffsetAtOverlap().toInstant();
  }

  private static CalendarCoverage coverage(ZoneId zone, CalendarSpan... spans) {
    return new CalendarCoverage(
        "test", new CalendarDefinition(Optional.of(zone.getId()), zone, List.of(spans)));
  }

  private static long second(String instant) {
    return Instant.parse(instant).atOffset(ZoneOffset.UTC).toEpochSecond();
  }
}
