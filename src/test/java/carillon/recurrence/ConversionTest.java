package carillon.recurrence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import carillon.recurrence.conversion.RecurrenceConverter;
import carillon.recurrence.conversion.RecurrenceConverter.Converted;
import carillon.recurrence.conversion.RecurrenceForm;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Test of converted random recurrences. They run at the same instants as the originals for years,
 * also around each clock change. The test looks far beyond the range that the converter itself
 * compares.
 */
class ConversionTest {
  private static final int SCHEDULES = 3000;
  private static final int YEARS = 25;
  private static final List<String> ZONES =
      List.of(
          "Europe/Berlin",
          "America/New_York",
          "Australia/Lord_Howe",
          "Africa/Casablanca",
          "America/Sao_Paulo",
          "Asia/Kolkata",
          "UTC");
  private static final Instant FIRST = Instant.parse("2001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2030-01-01T00:00:00Z");

  private final Map<RecurrenceForm, Integer> converted = new EnumMap<>(RecurrenceForm.class);

  @Test
  void whatIsConvertedRunsAtTheSameInstants() {
    long seed = Long.getLong("seed", 20261123);
    for (int i = 0; i < SCHEDULES; i++) {
      Randoms randoms = new Randoms(seed + i);
      Case one = new Case(randoms, seed + i);
      for (RecurrenceForm form : RecurrenceForm.values()) {
        one.converted(form)
            .ifPresent(
                other -> {
                  converted.merge(form, 1, Integer::sum);
                  one.compare(form, other);
                });
      }
    }
    converted.values().forEach(number -> assertTrue(number > SCHEDULES / 4, converted::toString));
  }

  /** A recurrence, its start and its clock. */
  private static final class Case {
    private final Randoms randoms;
    private final Recurrence recurrence;
    private final Optional<Instant> start;
    private final Instant submitted;
    private final Optional<WallClock> clock;
    private final Timetable timetable;
    private final String name;

    Case(Randoms randoms, long seed) {
      this.randoms = randoms;
      this.submitted = whole(randoms.between(FIRST, LAST));
      this.recurrence = randoms.oneIn(2) ? periodic() : cron();
      this.clock = randoms.oneIn(3) ? Optional.empty() : Optional.of(clock());
      this.start =
          recurrence instanceof CronRecurrence && randoms.oneIn(2)
              ? Optional.empty()
              : Optional.of(start());
      this.timetable = timetable(recurrence, start);
      this.name = seed + ": " + recurrence + ", start " + start + ", " + clock;
    }

    private static Instant whole(Instant instant) {
      return Instant.ofEpochSecond(instant.getEpochSecond());
    }

    private Instant start() {
      Instant start = whole(randoms.between(submitted.minus(Duration.ofDays(9)), submitted));
      return randoms.oneIn(3) ? start : Instant.ofEpochSecond(start.getEpochSecond() / 300 * 300);
    }

    private PeriodicRecurrence periodic() {
      PeriodicRecurrence some = randoms.recurrence(randoms.oneOf(List.of(Frequency.values())));
      int interval = randoms.oneIn(3) ? some.interval() : randoms.oneIn(2) ? 1 : divisor(some);
      return new PeriodicRecurrence(
          some.frequency(), interval, some.count(), some.endTime(), some.schedule());
    }

    private int divisor(PeriodicRecurrence some) {
      return switch (some.frequency()) {
        case SECOND, MINUTE -> randoms.oneOf(List.of(5, 10, 15, 30, 60, 90, 240));
        case HOUR -> randoms.oneOf(List.of(2, 3, 6, 12, 24));
        case MONTH -> randoms.oneOf(List.of(2, 3, 6, 12));
        default -> 1;
      };
    }

    private CronRecurrence cron() {
      String text;
      Optional<CronDialect> dialect = Optional.empty();
      switch (randoms.below(8)) {
        case 0 -> text = "@every " + (1 + randoms.below(3000)) + "s";
        case 1 -> text = "rate(" + (2 + randoms.below(2000)) + " minutes)";
        case 2 -> text = "*/" + (1 + randoms.below(30)) + " * * * *";
        case 3 -> {
          text = new CronRandoms(randoms).quartz();
          dialect = Optional.of(CronDialect.QUARTZ);
        }
        default -> text = new CronRandoms(randoms).unix();
      }
      return new CronRecurrence(
          text,
          dialect,
          CronParser.parse(text, dialect, "s/g/c/j"),
          Recurrence.NO_COUNT,
          Recurrence.NO_END);
    }

    private WallClock clock() {
      DstPolicy dst =
          randoms.oneIn(2)
              ? DstPolicy.AUTO
              : new DstPolicy(
                  randoms.oneOf(List.of(Gap.values())), randoms.oneOf(List.of(Fold.values())));
      return new WallClock(
          ZoneId.of(randoms.oneOf(ZONES)), dst, Optional.empty(), Optional.empty());
    }

    private Timetable timetable(Recurrence other, Optional<Instant> from) {
      return Timetable.of(other, from.orElse(Timetable.NO_START), submitted, clock);
    }

    Optional<Converted> converted(RecurrenceForm form) {
      if (timetable.first(submitted).isEmpty()) {
        return Optional.empty();
      }
      try {
        return Optional.of(new RecurrenceConverter(recurrence, start, submitted, clock).to(form));
      } catch (InexpressibleException e) {
        assertTrue(!e.getMessage().contains("would differ"), () -> name + " as " + form);
        return Optional.empty();
      }
    }

    void compare(RecurrenceForm form, Converted other) {
      Timetable same =
          timetable(other.recurrence(), other.startTime().isPresent() ? other.startTime() : start);
      for (Instant at : looks()) {
        assertEquals(
            following(timetable, at),
            following(same, at),
            () -> name + " as " + form + " " + other + ", after " + at);
      }
    }

    /** Returns the start, random instants, and instants shortly before clock changes. */
    private List<Instant> looks() {
      List<Instant> looks = new ArrayList<>();
      Instant first = timetable.first(submitted).orElseThrow();
      looks.add(first.minusNanos(1));
      Instant end = first.plus(Duration.ofDays(365 * YEARS));
      for (int i = 0; i < 10; i++) {
        looks.add(randoms.between(first, end));
      }
      clock.ifPresent(
          by -> {
            Instant from = randoms.between(first, end);
            for (int i = 0; i < 4; i++) {
              ZoneOffsetTransition next = by.rules().nextTransition(from);
              if (next != null) {
                from = next.getInstant();
                looks.add(from.minus(Duration.ofHours(1 + randoms.below(24))));
                looks.add(from.minusNanos(1));
              }
            }
          });
      return looks;
    }

    private static List<Instant> following(Timetable timetable, Instant at) {
      List<Instant> found = new ArrayList<>();
      Optional<Instant> next = timetable.after(at);
      while (next.isPresent() && found.size() < 30) {
        found.add(next.get());
        next = timetable.after(next.get());
      }
      return found;
    }
  }
}
