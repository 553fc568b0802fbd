package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Comparison of random recurrences with the {@link Model} around every transition of every zone,
 * 2000 to 2040. The model checks each minute of local time and converts each one to UTC separately.
 */
class ZonedModelTest {
  private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2040-12-31T00:00:00Z");
  private static final List<Frequency> FREQUENCIES =
      List.of(Frequency.MINUTE, Frequency.HOUR, Frequency.DAY, Frequency.WEEK, Frequency.MONTH);

  @Test
  void theTimetableAgreesWithTheModelAtEveryTransition() {
    Set<ZoneRules> seen = new HashSet<>();
    long seed = Long.getLong("seed", 20260101);
    int cases = 0;
    for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneId zone = ZoneId.of(id);
      if (seen.add(zone.getRules())) {
        for (ZoneOffsetTransition transition : transitions(zone.getRules())) {
          new Comparison(zone, transition, new Randoms(seed + cases)).run();
          cases++;
        }
      }
    }
  }

  private static List<ZoneOffsetTransition> transitions(ZoneRules rules) {
    List<ZoneOffsetTransition> found = new ArrayList<>();
    ZoneOffsetTransition next = rules.nextTransition(FIRST);
    while (next != null && next.getInstant().isBefore(LAST)) {
      found.add(next);
      next = rules.nextTransition(next.getInstant());
    }
    return found;
  }

  /** Comparison of a definition with the model during some days around a transition. */
  private static final class Comparison {
    private final Randoms randoms;
    private final ZoneRules rules;
    private final DstPolicy dst;
    private final Timetable timetable;
    private final Instant to;
    private final List<Instant> expected;
    private final String name;

    Comparison(ZoneId zone, ZoneOffsetTransition transition, Randoms randoms) {
      this.randoms = randoms;
      this.rules = zone.getRules();
      LocalDateTime change = transition.getDateTimeBefore();
      LocalDateTime anchor =
          change.minusMinutes(randoms.below(randoms.oneIn(3) ? 120 : 60 * 24 * 3)).plusMinutes(15);
      PeriodicRecurrence recurrence = recurrence(change);
      DstPolicy given =
          new DstPolicy(
              randoms.oneOf(List.of(Gap.values())), randoms.oneOf(List.of(Fold.values())));
      dst = given.of(recurrence);
      WallClock clock = new WallClock(zone, given, Optional.of(anchor), Optional.empty());
      Instant start = clock.startsAt(anchor);
      timetable = Timetable.of(recurrence, start, start, Optional.of(clock));
      LocalDateTime horizon = change.plusDays(3);
      to = horizon.minusDays(1).toInstant(ZoneOffset.UTC);
      expected =
          expected(recurrence, anchor, horizon).stream()
              .filter(instant -> !instant.isBefore(start) && !instant.isAfter(to))
              .toList();
      name = zone + " " + transition + ", from " + anchor + ", " + dst + ", " + recurrence;
    }

    private PeriodicRecurrence recurrence(LocalDateTime change) {
      PeriodicRecurrence recurrence;
      do {
        recurrence = randoms.recurrence(randoms.oneOf(FREQUENCIES));
      } while (recurrence.isElapsed());
      Schedule some = recurrence.schedule();
      if (some.isEmpty() || randoms.oneIn(3)) {
        return recurrence;
      }
      Set<Integer> hours = new HashSet<>();
      for (int i = randoms.below(4); i >= 0; i--) {
        hours.add(change.plusHours(randoms.below(4) - 1L).getHour());
      }
      return new PeriodicRecurrence(
          recurrence.frequency(),
          1,
          0,
          Recurrence.NO_END,
          new Schedule(
              some.minutes(),
              List.copyOf(hours),
              some.weekDays(),
              some.monthDays(),
              some.monthlyOccurrences(),
              some.months()));
    }

    private SortedSet<Instant> expected(
        PeriodicRecurrence recurrence, LocalDateTime anchor, LocalDateTime horizon) {
      SortedSet<Instant> all = new TreeSet<>();
      new Model(recurrence, anchor)
          .matches(anchor.minusDays(2), horizon, Integer.MAX_VALUE)
          .forEach(local -> all.addAll(instants(local)));
      return all;
    }

    private List<Instant> instants(LocalDateTime local) {
      List<Instant> valid =
          rules.getValidOffsets(local).stream().map(local::toInstant).sorted().toList();
      if (valid.isEmpty()) {
        return missing(local);
      }
      return switch (dst.fold()) {
        case FIRST -> valid.subList(0, 1);
        case LAST -> valid.subList(valid.size() - 1, valid.size());
        default -> valid;
      };
    }

    private List<Instant> missing(LocalDateTime local) {
      LocalDateTime before = local;
      while (rules.getValidOffsets(before).isEmpty()) {
        before = before.minusMinutes(15);
      }
      ZoneOffset offset = rules.getOffset(before);
      return switch (dst.gap()) {
        case SKIP -> List.of();
        case SHIFT -> List.of(local.toInstant(offset));
        default -> List.of(rules.nextTransition(before.toInstant(offset)).getInstant());
      };
    }

    void run() {
      List<Instant> found = new ArrayList<>();
      Optional<Instant> next = timetable.after(Instant.EPOCH);
      while (next.isPresent() && !next.get().isAfter(to)) {
        found.add(next.get());
        next = timetable.after(next.get());
      }
      assertEquals(expected, found, name);
      for (int i = 0; i < 10; i++) {
        Instant at = to.minus(Duration.ofSeconds(randoms.below(5 * 86400)));
        Instant from = at.minusSeconds(randoms.below(randoms.oneIn(2) ? 7200 : 3 * 86400));
        assertEquals(
            expected.stream().filter(e -> !e.isAfter(at)).reduce((a, b) -> b),
            timetable.latest(at),
            () -> "latest at " + at + ", " + name);
        assertEquals(
            expected.stream().filter(e -> !e.isBefore(from) && e.isBefore(at)).count(),
            timetable.between(from, at, Long.MAX_VALUE),
            () -> "between " + from + " and " + at + ", " + name);
      }
      for (Instant occurrence : expected) {
        assertEquals(
            Optional.of(occurrence),
            timetable.localOf(occurrence).flatMap(timetable::retimed),
            name);
      }
    }
  }
}
