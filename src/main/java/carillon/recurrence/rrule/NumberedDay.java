package carillon.recurrence.rrule;

import java.time.DayOfWeek;

/**
 * Weekday of BYDAY, with or without a number: {@code MO}, {@code 2TU}, {@code -1FR}.
 *
 * @param number counted within the month or the year, from its end where negative; {@link #EVERY}
 *     for each such weekday
 */
public record NumberedDay(int number, DayOfWeek day) {
  /** Each such weekday. */
  public static final int EVERY = 0;

  /** Whether it stands for one day of a month or a year only. */
  public boolean isNumbered() {
    return number != EVERY;
  }
}
