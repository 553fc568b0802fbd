package carillon.recurrence;

import java.time.DayOfWeek;
import java.util.Objects;

/**
 * Some weekday of a month: {@code (FRIDAY, 1)} is the first Friday, {@code (FRIDAY, -3)} the third
 * from the end, {@code (FRIDAY, EVERY)} each one. A fifth Friday is skipped in months without one.
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
