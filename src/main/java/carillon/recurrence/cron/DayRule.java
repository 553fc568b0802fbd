package carillon.recurrence.cron;

import java.time.DayOfWeek;

/**
 * Selection of days in a month by its shape alone: the last day, the weekday next to the 15th, the
 * second Monday. Sets of days are bit masks, bit d - 1 for day d.
 */
@FunctionalInterface
interface DayRule {
  /**
   * Returns the selected days of a month.
   *
   * @param length 28..31
   * @param first the weekday of its first day
   */
  int days(int length, DayOfWeek first);

  /** Selects a day by its number; none if the month is too short. */
  static DayRule of(int day) {
    return (length, first) -> bit(day, length);
  }

  /**
   * Selects the day that is a number of days before the last one; none if the month is too short.
   */
  static DayRule beforeLast(int days) {
    return (length, first) -> bit(length - days, length);
  }

  /** Selects the last day of the month from Monday to Friday. */
  static DayRule lastWorkday() {
    return (length, first) -> bit(workdayNextTo(length, length, first), length);
  }

  /** Selects the day from Monday to Friday that is nearest to a day, within the month. */
  static DayRule workdayNextTo(int day) {
    return (length, first) -> day > length ? 0 : bit(workdayNextTo(day, length, first), length);
  }

  /**
   * Selects the n-th such weekday, from 1; none if the month has fewer.
   *
   * @param weekDay 0 is Sunday
   */
  static DayRule nth(int weekDay, int n) {
    return (length, first) -> bit(firstOf(weekDay, first) + 7 * (n - 1), length);
  }

  /** Selects the last such weekday; 0 is Sunday. */
  static DayRule last(int weekDay) {
    return (length, first) -> {
      int earliest = firstOf(weekDay, first);
      return bit(earliest + (length - earliest) / 7 * 7, length);
    };
  }

  /** Selects each such weekday; 0 is Sunday. */
  static DayRule every(int weekDay) {
    return (length, first) -> {
      int mask = 0;
      for (int day = firstOf(weekDay, first); day <= length; day += 7) {
        mask |= bit(day, length);
      }
      return mask;
    };
  }

  private static int bit(int day, int length) {
    return day < 1 || day > length ? 0 : 1 << (day - 1);
  }

  /** The day of the month of the first such weekday. */
  private static int firstOf(int weekDay, DayOfWeek first) {
    return Math.floorMod(weekDay - first.getValue(), 7) + 1;
  }

  private static int workdayNextTo(int day, int length, DayOfWeek first) {
    return switch (first.plus(day - 1L)) {
      case SATURDAY -> day == 1 ? day + 2 : day - 1;
      case SUNDAY -> day == length ? day - 2 : day + 1;
      default -> day;
    };
  }
}
