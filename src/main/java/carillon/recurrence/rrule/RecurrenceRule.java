package carillon.recurrence.rrule;

import java.time.DayOfWeek;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Recurrence rule of iCalendar (RFC 5545, 3.3.10). An empty list means that the part was not given.
 *
 * @param interval number of periods from one to the next, from 1
 * @param count number of times that the rule yields, counted from its start and before exceptions
 * @param until the last time that it may yield (inclusive); a day includes its end
 * @param positions BYSETPOS: positions of the selected times in each period; negative from the end
 * @param weekStart the first day of a week
 */
public record RecurrenceRule(
    RuleFrequency frequency,
    int interval,
    OptionalInt count,
    Optional<RuleTime> until,
    List<Integer> seconds,
    List<Integer> minutes,
    List<Integer> hours,
    List<NumberedDay> weekDays,
    List<Integer> monthDays,
    List<Integer> yearDays,
    List<Integer> weekNumbers,
    List<Integer> months,
    List<Integer> positions,
    DayOfWeek weekStart) {

  public RecurrenceRule {
    seconds = List.copyOf(seconds);
    minutes = List.copyOf(minutes);
    hours = List.copyOf(hours);
    weekDays = List.copyOf(weekDays);
    monthDays = List.copyOf(monthDays);
    yearDays = List.copyOf(yearDays);
    weekNumbers = List.copyOf(weekNumbers);
    months = List.copyOf(months);
    positions = List.copyOf(positions);
  }

  /** Whether a part selects days within a year, month or week. */
  public boolean selectsDays() {
    return !weekDays.isEmpty()
        || !monthDays.isEmpty()
        || !yearDays.isEmpty()
        || !weekNumbers.isEmpty();
  }

  /** Whether a weekday has a number. */
  public boolean numbersWeekDays() {
    return weekDays.stream().anyMatch(NumberedDay::isNumbered);
  }

  /** Returns this rule with other weekdays, days of the month and months. */
  public RecurrenceRule withDays(
      List<NumberedDay> otherWeekDays, List<Integer> otherMonthDays, List<Integer> otherMonths) {
    return new RecurrenceRule(
        frequency,
        interval,
        count,
        until,
        seconds,
        minutes,
        hours,
        otherWeekDays,
        otherMonthDays,
        yearDays,
        weekNumbers,
        otherMonths,
        positions,
        weekStart);
  }

  /**
   * Returns this rule without BYHOUR, BYMINUTE and BYSECOND, which do not apply to a start without
   * a time.
   */
  RecurrenceRule ofDays() {
    return new RecurrenceRule(
        frequency,
        interval,
        count,
        until,
        List.of(),
        List.of(),
        List.of(),
        weekDays,
        monthDays,
        yearDays,
        weekNumbers,
        months,
        positions,
        weekStart);
  }

  /** Period by which a recurrence rule repeats (RFC 5545, 3.3.10). */
  public enum RuleFrequency {
    SECONDLY,
    MINUTELY,
    HOURLY,
    DAILY,
    WEEKLY,
    MONTHLY,
    YEARLY;

    /** Whether the period is shorter than a day, so that periods are elapsed time. */
    public boolean isElapsed() {
      return compareTo(DAILY) < 0;
    }
  }

  /**
   * Weekday of BYDAY, with or without a number: {@code MO}, {@code 2TU}, {@code -1FR}.
   *
   * @param number counted within the month or the year, from its end where negative; {@link #EVERY}
   *     for each such weekday
   */
  public record NumberedDay(int number, DayOfWeek day) {
    /** Ordinal for every such weekday of the period. */
    public static final int EVERY = 0;

    /** Whether it means only one day of a month or a year. */
    public boolean isNumbered() {
      return number != EVERY;
    }
  }
}
