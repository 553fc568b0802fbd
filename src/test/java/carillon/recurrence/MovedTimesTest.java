package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.timetable.Timetable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Test of the local times that a timetable reports as moved. They must equal the result of asking
 * the rules of the zone for each local time. The recurrences meet few or many transitions.
 */
class MovedTimesTest {
  private static final Instant FIRST = Instant.parse("1995-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2150-01-01T00:00:00Z");
  private static final List<Integer> MONTHS = List.of(1, 5, 12, 18);
  private static final int MANY = 100_000;

  /** A due local time, and the transition that moves it. */
  private record Moved(LocalDateTime local, ZoneOffsetTransition transition) {}

  @Test
  void allThatTheClocksMoveIsTold() {
    Set<ZoneRules> seen = new HashSet<>();
    Randoms randoms = new Randoms(20261124);
    int found = 0;
    for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneId zone = ZoneId.of(id);
      ZoneOffsetTransition next = zone.getRules().nextTransition(FIRST);
      if (next != null && seen.add(zone.getRules())) {
        for (int i = 0; i < 6; i++) {
          found += check(zone, next, randoms);
        }
      }
    }
    assertTrue(found > 1000, "moved times: " + found);
  }

  /**
   * Checks a recurrence anchored near a transition of the zone. Returns the number of moved times.
   */
  private static int check(ZoneId zone, ZoneOffsetTransition first, Randoms randoms) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition met = first;
    for (int i = randoms.below(20); i > 0; i--) {
      ZoneOffsetTransition next = rules.nextTransition(met.getInstant());
      met = next == null ? met : next;
    }
    LocalDateTime change = met.isGap() ? met.getDateTimeBefore() : met.getDateTimeAfter();
    LocalDateTime anchor = change.plusMinutes(randoms.below(61)).minusYears(randoms.below(3));
    int months = randoms.oneOf(MONTHS);
    PeriodicRecurrence recurrence =
        new PeriodicRecurrence(Frequency.MONTH, months, 0, Recurrence.NO_END, Schedule.NONE);
    WallClock clock = new WallClock(zone, DstPolicy.AUTO, Optional.of(anchor), Optional.empty());
    Instant start = clock.startsAt(anchor);
    Timetable timetable = Timetable.of(recurrence, start, start, Optional.of(clock));

    List<Moved> expected = expected(rules, anchor, months);
    assertEquals(
        expected,
        timetable.moved(FIRST, LAST, MANY).stream()
            .map(moved -> new Moved(moved.local(), moved.transition()))
            .toList(),
        () -> zone + " from " + anchor + " every " + months + " months");
    return expected.size();
  }

  private static List<Moved> expected(ZoneRules rules, LocalDateTime anchor, int months) {
    List<Moved> expected = new ArrayList<>();
    LocalDateTime local = anchor;
    for (int n = 1; local.getYear() <= 2150; n++) {
      ZoneOffsetTransition transition = rules.getTransition(local);
      if (transition != null
          && !transition.getInstant().isBefore(FIRST)
          && !transition.getInstant().isAfter(LAST)) {
        expected.add(new Moved(local, transition));
      }
      local = anchor.plusMonths((long) n * months);
    }
    return expected;
  }
}
