package carillon.recurrence;

import java.time.DayOfWeek;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * The calendar fields that limit or expand a recurrence. An empty list means that the field was not
 * given. The given order is kept, to be echoed. {@link Recurrence} checks that the fields fit the
 * frequency.
 *
 * @param minutes 0..59
 * @param hours 0..23
 * @param weekDays the days of each week
 * @param monthDays 1..31 from the start of the month, -1..-31 from its end (-1 is the last day)
 * @param monthlyOccurrences with monthDays: the union, each day once
 * @param months 1..12, a filter
 */
public record Schedule(
    List<Integer> minutes,
    List<Integer> hours,
    List<DayOfWeek> weekDays,
    List<Integer> monthDays,
    List<MonthlyOccurrence> monthlyOccurrences,
    List<Integer> months) {

  /** No field given. */
  public static final Schedule NONE =
      new Schedule(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  public Schedule {
    minutes = List.copyOf(minutes);
    hours = List.copyOf(hours);
    weekDays = List.copyOf(weekDays);
    monthDays = List.copyOf(monthDays);
    monthlyOccurrences = List.copyOf(monthlyOccurrences);
    months = List.copyOf(months);
    check("minutes", minutes, "0..59", value -> value >= 0 && value <= 59);
    check("hours", hours, "0..23", value -> value >= 0 && value <= 23);
    check("monthDays", monthDays, "-31..-1 or 1..31", Schedule::isMonthDay);
    check("months", months, "1..12", value -> value >= 1 && value <= 12);
  }

  /** Whether no field is given at all. */
  public boolean isEmpty() {
    return equals(NONE);
  }

  private static boolean isMonthDay(int value) {
    return value != 0 && value >= -31 && value <= 31;
  }

  private static void check(String field, List<Integer> values, String range, IntPredicate valid) {
    for (int value : values) {
      if (!valid.test(value)) {
        throw new IllegalArgumentException(
            "schedule." + field + ": " + value + " is not in " + range);
      }
    }
  }

  /**
   * Weekday of a month: {@code (FRIDAY, 1)} is the first Friday, {@code (FRIDAY, -3)} the third
   * from the end, {@code (FRIDAY, EVERY)} each one. A fifth Friday is skipped in months without
   * one.
   *
   * @param occurrence 1..5 from the start of the month, -5..-1 from its end, or {@link #EVERY}
   */
  public record MonthlyOccurrence(DayOfWeek day, int occurrence) {
    /** The occurrence was omitted: every such weekday of the month. A literal 0 is never sent. */
    public static final int EVERY = 0;

    public MonthlyOccurrence {
      Objects.requireNonNull(day, "day");
      if (occurrence < -5 || occurrence > 5) {
        throw new IllegalArgumentException(
            "schedule.monthlyOccurrences: " + occurrence + " is not in -5..-1 or 1..5");
      }
    }
  }
}
