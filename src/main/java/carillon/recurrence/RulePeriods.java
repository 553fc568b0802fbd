package carillon.recurrence;

import carillon.recurrence.rrule.RecurrenceRule;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * Periods of a recurrence rule's frequency, as local seconds since 1970.
 *
 * @param unit a whole number of which makes a period
 */
record RulePeriods(ChronoUnit unit, RecurrenceRule rule) {
  static RulePeriods of(RecurrenceRule rule) {
    ChronoUnit unit =
        switch (rule.frequency()) {
          case SECONDLY -> ChronoUnit.SECONDS;
          case MINUTELY -> ChronoUnit.MINUTES;
          case HOURLY -> ChronoUnit.HOURS;
          case DAILY -> ChronoUnit.DAYS;
          case WEEKLY -> ChronoUnit.WEEKS;
          case MONTHLY -> ChronoUnit.MONTHS;
          case YEARLY -> ChronoUnit.YEARS;
        };
    return new RulePeriods(unit, rule);
  }

  /** The first second of the period that contains a second. */
  long startOf(long second) {
    return second(start(second));
  }

  /** The first second behind the period that contains a second. */
  long endOf(long second) {
    return second(start(second).plus(1, unit));
  }

  private LocalDateTime start(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    LocalDate day = time.toLocalDate();
    return switch (unit) {
      case WEEKS -> day.with(TemporalAdjusters.previousOrSame(rule.weekStart())).atStartOfDay();
      case MONTHS -> day.withDayOfMonth(1).atStartOfDay();
      case YEARS -> day.withDayOfYear(1).atStartOfDay();
      default -> time.truncatedTo(unit);
    };
  }

  private static long second(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC);
  }
}
