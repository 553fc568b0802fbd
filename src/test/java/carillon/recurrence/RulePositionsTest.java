package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RruleParser;
import carillon.recurrence.timetable.Timetable;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Test of BYSETPOS against a list of all times of each period, counted one by one. */
class RulePositionsTest {
  private static final Instant START = Instant.parse("2024-01-01T00:07:00Z");
  private static final int WALKED = 2_500;

  @Test
  void takesOfEachPeriodWhatTheWalkCounts() {
    Randoms random = new Randoms(5545);
    RruleRandoms rules = new RruleRandoms(random);
    int compared = 0;
    for (int i = 0; i < 400; i++) {
      String plain = rules.rule().replaceAll(";BYSETPOS=[^;]*", "");
      if (plain.contains(";BY")) {
        compared += compare(plain, positions(random));
      }
    }

    assertTrue(compared > 4_000, () -> "few were compared");
  }

  private static List<Integer> positions(Randoms random) {
    int most = random.oneOf(List.of(2, 10, 366));
    TreeSet<Integer> positions = new TreeSet<>();
    for (int i = random.below(random.oneOf(List.of(3, 40))); i >= 0; i--) {
      int position = 1 + random.below(most);
      positions.add(random.oneIn(3) ? -position : position);
    }
    return List.copyOf(positions);
  }

  private static int compare(String plain, List<Integer> positions) {
    String listed = positions.stream().map(String::valueOf).collect(Collectors.joining(","));
    RecurrenceRule rule = RruleParser.parse(plain).rules().get(0);
    Map<LocalDateTime, List<Instant>> periods = new LinkedHashMap<>();
    Timetable all = timetable(plain);
    Optional<Instant> next = all.first(START);
    for (int i = 0; i < WALKED && next.isPresent(); i++) {
      periods.computeIfAbsent(period(next.get(), rule), start -> new ArrayList<>()).add(next.get());
      next = all.after(next.get());
    }
    List<LocalDateTime> whole = new ArrayList<>(periods.keySet());
    if (whole.size() < 3) {
      return 0;
    }
    Instant from = instant(whole.get(1));
    Instant end = instant(whole.get(whole.size() - 1));
    List<Instant> expected =
        whole.subList(1, whole.size() - 1).stream()
            .flatMap(period -> taken(periods.get(period), positions).stream())
            .toList();
    Timetable tested = timetable(plain + ";BYSETPOS=" + listed);
    assertEquals(expected, between(tested, from, end), plain + ";BYSETPOS=" + listed);
    if (!expected.isEmpty()) {
      Instant last = expected.get(expected.size() - 1);
      assertEquals(Optional.of(last), tested.latest(end.minusNanos(1)), plain + listed);
    }
    return expected.size();
  }

  private static List<Instant> between(Timetable timetable, Instant from, Instant end) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = timetable.after(from.minusNanos(1));
    while (next.isPresent() && next.get().isBefore(end)) {
      found.add(next.get());
      next = timetable.after(next.get());
    }
    return found;
  }

  private static List<Instant> taken(List<Instant> period, List<Integer> positions) {
    return IntStream.range(0, period.size())
        .filter(i -> positions.contains(i + 1) || positions.contains(i - period.size()))
        .mapToObj(period::get)
        .toList();
  }

  private static LocalDateTime period(Instant instant, RecurrenceRule rule) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    LocalDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    DayOfWeek weekStart = rule.weekStart();
    return switch (rule.frequency()) {
      case SECONDLY -> time;
      case MINUTELY -> time.truncatedTo(ChronoUnit.MINUTES);
      case HOURLY -> time.truncatedTo(ChronoUnit.HOURS);
      case DAILY -> day;
      case WEEKLY -> day.with(TemporalAdjusters.previousOrSame(weekStart));
      case MONTHLY -> day.withDayOfMonth(1);
      case YEARLY -> day.withDayOfYear(1);
    };
  }

  private static Instant instant(LocalDateTime time) {
    return time.toInstant(ZoneOffset.UTC);
  }

  private static Timetable timetable(String rule) {
    RruleRecurrence recurrence =
        new RruleRecurrence(
            List.of(rule), false, RruleParser.parse(rule), Recurrence.NO_COUNT, Recurrence.NO_END);
    return Timetable.of(recurrence, START, START);
  }
}
