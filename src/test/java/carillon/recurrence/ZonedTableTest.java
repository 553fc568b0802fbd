package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the table of time zones. Each row states its reason. */
@Tag("alone")
class ZonedTableTest {
  @ParameterizedTest(name = "{0} {1}, {2} from {3}: {4}")
  @CsvFileSource(resources = "/recurrence/zones.csv", delimiter = '|', numLinesToSkip = 1)
  void theFirstOccurrencesAreThoseOfTheTable(
      String zone, String dst, String recurrence, String start, String expected, String why) {
    LocalDateTime local = LocalDateTime.parse(start);
    WallClock clock =
        new WallClock(ZoneId.of(zone), policy(dst), Optional.of(local), Optional.empty());
    Instant first = clock.startsAt(local);
    Timetable timetable =
        Timetable.of(Notation.recurrence(recurrence), first, first, Optional.of(clock));
    List<String> words = new ArrayList<>(Arrays.asList(expected.split(" ")));
    boolean ends = words.remove("end");

    List<Instant> found = timetable.preview(first, words.size() + (ends ? 1 : 0));

    assertEquals(
        words.stream().map(word -> OffsetDateTime.parse(word).toInstant()).toList(), found, why);
  }

  private static DstPolicy policy(String text) {
    String[] words = text.toUpperCase(Locale.ROOT).split(" ", -1);
    return new DstPolicy(Gap.valueOf(words[0]), Fold.valueOf(words[1]));
  }

  @Test
  void aScheduleThatNeverHasAnExistingTimeIsFoundOutSoon() {
    WallClock clock =
        new WallClock(
            ZoneId.of("Europe/Berlin"), policy("skip auto"), Optional.empty(), Optional.empty());
    Instant start = Instant.parse("2027-01-01T00:00:00Z");
    PeriodicRecurrence recurrence =
        Notation.recurrence("month; monthlyOccurrences=sunday:-1; months=3; hours=2; minutes=30");
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long begun = System.nanoTime();
      assertEquals(false, Timetable.of(recurrence, start, start, Optional.of(clock)).everMatches());
      fastest = Math.min(fastest, System.nanoTime() - begun);
    }

    assertTrue(fastest < Duration.ofMillis(50).toNanos(), "took " + fastest + " ns");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "day",
        "week; weekDays=monday,tuesday,wednesday,thursday,friday; hours=9; minutes=0",
        "month; monthlyOccurrences=friday:-1; hours=17",
        "hour; minutes=0,30"
      })
  void theNextOccurrenceTakesLessThanTwoMicroseconds(String recurrence) {
    LocalDateTime local = LocalDateTime.parse("2027-01-01T02:30");
    WallClock clock =
        new WallClock(
            ZoneId.of("Europe/Berlin"), policy("auto auto"), Optional.of(local), Optional.empty());
    Instant start = clock.startsAt(local);
    Timetable timetable =
        Timetable.of(Notation.recurrence(recurrence), start, start, Optional.of(clock));
    int calls = 1000;
    long fastest = Long.MAX_VALUE;
    for (int round = 0; round < 100; round++) {
      Instant at = start;
      long begun = System.nanoTime();
      for (int i = 0; i < calls; i++) {
        at = timetable.after(at).orElseThrow();
      }
      fastest = Math.min(fastest, System.nanoTime() - begun);
    }

    assertTrue(fastest < calls * 2000L, "took " + fastest / calls + " ns");
  }
}
