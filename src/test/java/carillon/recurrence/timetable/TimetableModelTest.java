package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.Frequency;
import carillon.recurrence.Model;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Randoms;
import carillon.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test that a timetable computes the occurrences that the {@link Model} finds by search. */
class TimetableModelTest {
  private static final int LIMIT = 150;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "SECOND, 1500, 2",
    "MINUTE, 1000, 8",
    "HOUR, 1500, 20",
    "DAY, 2500, 1500",
    "WEEK, 2500, 2500",
    "MONTH, 4000, 4000",
    "YEAR, 1000, 8000"
  })
  void theTimetableAgreesWithTheModel(Frequency frequency, int cases, int days) {
    for (int seed = 0; seed < cases; seed++) {
      new Comparison(frequency, seed, days).run();
    }
  }

  /**
   * Comparison of a definition with the model, in a window for which the model knows every
   * occurrence.
   */
  private static final class Comparison {
    private final String name;
    private final Randoms randoms;
    private final boolean anchored;
    private final PeriodicRecurrence recurrence;
    private final Timetable timetable;
    private final Instant start;
    private final Instant from;
    private final Instant to;
    private final List<Instant> expected;

    Comparison(Frequency frequency, int seed, int days) {
      randoms = new Randoms(seed);
      start = randoms.start();
      PeriodicRecurrence endless = randoms.recurrence(frequency);
      anchored = endless.schedule().isEmpty() || !randoms.oneIn(4);
      from = anchored && randoms.oneIn(2) ? randoms.between(start, years(start, 60)) : start;
      Instant anchor = anchored ? start : start.truncatedTo(ChronoUnit.MINUTES);
      List<Instant> all = new ArrayList<>();
      if (!anchored) {
        all.add(start);
      }
      Instant horizon = from.plus(Duration.ofDays(1 + randoms.below(days)));
      matches(endless, anchor, horizon).stream().filter(i -> !all.contains(i)).forEach(all::add);
      to = all.size() >= LIMIT ? all.get(all.size() - 1) : horizon;
      Instant end = randoms.oneIn(3) ? edge(all) : Recurrence.NO_END;
      recurrence =
          new PeriodicRecurrence(frequency, endless.interval(), 0, end, endless.schedule());
      expected = all.stream().filter(instant -> !instant.isAfter(end)).toList();
      timetable = Timetable.of(recurrence, anchored ? start : Timetable.NO_START, start);
      name =
          "seed " + seed + ", from " + start + (anchored ? "" : " (submitted)") + ", " + recurrence;
    }

    private List<Instant> matches(PeriodicRecurrence endless, Instant anchor, Instant horizon) {
      return new Model(endless, Model.utc(anchor))
          .matches(Model.utc(from), Model.utc(horizon), LIMIT).stream()
              .map(found -> found.toInstant(ZoneOffset.UTC))
              .toList();
    }

    void run() {
      for (int query = 0; query < 12; query++) {
        Instant at = edge(expected);
        compareAfter(at);
        compareFirst(at);
        compareLatest(at);
        compareBetween(at, edge(expected));
      }
      everyOccurrenceFollowsTheOneBefore();
    }

    /** Returns an occurrence, an instant next to one, or any instant of the window. */
    private Instant edge(List<Instant> occurrences) {
      if (occurrences.isEmpty() || randoms.oneIn(3)) {
        return randoms.between(from, to);
      }
      Instant edge = randoms.oneOf(occurrences).plusNanos(randoms.below(3) - 1L);
      return edge.isBefore(from) ? from : edge.isAfter(to) ? to : edge;
    }

    private void compareAfter(Instant at) {
      Optional<Instant> found = timetable.after(at);
      compareNext(found, later -> later.isAfter(at), "after " + at);
      found.ifPresent(
          next -> {
            assertEquals(found, timetable.latest(next), () -> name + ", latest(after " + at + ")");
            assertEquals(
                found,
                timetable.latest(timetable.after(next).orElse(next.plusNanos(1)).minusNanos(1)),
                () -> name + ", nothing between two occurrences after " + at);
          });
    }

    private void compareFirst(Instant now) {
      if (!anchored) {
        boolean ended = now.isAfter(recurrence.endTime());
        assertEquals(ended ? Optional.empty() : Optional.of(now), timetable.first(now), name);
        return;
      }
      compareNext(timetable.first(now), later -> !later.isBefore(now), "first " + now);
    }

    private void compareNext(Optional<Instant> found, Predicate<Instant> wanted, String what) {
      Optional<Instant> next = expected.stream().filter(wanted).findFirst();
      if (next.isPresent() || !recurrence.endTime().isAfter(to)) {
        assertEquals(next, found, () -> name + ", " + what);
      } else {
        assertTrue(found.isEmpty() || found.get().isAfter(to), () -> name + ", " + what);
      }
    }

    private void compareLatest(Instant at) {
      Optional<Instant> found = timetable.latest(at);
      Optional<Instant> last =
          expected.stream().filter(earlier -> !earlier.isAfter(at)).reduce((a, b) -> b);
      if (last.isPresent() || from.equals(start)) {
        assertEquals(last, found, () -> name + ", latest " + at);
      } else {
        assertTrue(
            found.isEmpty() || (found.get().isBefore(from) && !found.get().isBefore(start)),
            () -> name + ", latest " + at);
      }
    }

    private void compareBetween(Instant a, Instant b) {
      long count =
          expected.stream().filter(instant -> !instant.isBefore(a) && instant.isBefore(b)).count();
      String what = name + ", between " + a + " and " + b;

      assertEquals(count, timetable.between(a, b, Long.MAX_VALUE), what);
      assertEquals(Math.min(count, 7), timetable.between(a, b, 7), what);
    }

    private void everyOccurrenceFollowsTheOneBefore() {
      for (int i = 1; i < expected.size(); i++) {
        assertEquals(Optional.of(expected.get(i)), timetable.after(expected.get(i - 1)), name);
      }
    }

    private static Instant years(Instant instant, int years) {
      LocalDateTime later = Model.utc(instant).plusYears(years);
      return later.toInstant(ZoneOffset.UTC);
    }
  }
}
