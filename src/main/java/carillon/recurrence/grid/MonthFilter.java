package carillon.recurrence.grid;

import java.time.LocalDate;
import java.util.Collection;

/**
 * Days of a grid that lie in certain months of the year.
 *
 * <p>There is no short cycle here. For example, three times 487 days are nearly four years, so
 * every 487 days takes thousands of years to move from March to a February. This class therefore
 * searches: each try jumps to the first grid day in or after the next allowed month. A try skips a
 * month that is not allowed and at least one step. For a single month of the year, all of time has
 * fewer than 8000 tries (0.2 ms); for several months, waits are short. Definitions in use match
 * within a year or two, after a few tries.
 */
final class MonthFilter implements Grid {
  private final Grid days;

  /** For each month 0..11, the number of months to the next allowed one. */
  private final int[] ahead = new int[12];

  /** For each month 0..11, the number of months since the previous allowed one. */
  private final int[] behind = new int[12];

  /**
   * @param months one or more of 1..12
   */
  MonthFilter(Grid days, Collection<Integer> months) {
    this.days = days;
    for (int month = 0; month < 12; month++) {
      while (!months.contains((month + ahead[month]) % 12 + 1)) {
        ahead[month]++;
      }
      while (!months.contains((month + 12 - behind[month]) % 12 + 1)) {
        behind[month]++;
      }
    }
  }

  @Override
  public long ceiling(long from) {
    long day = days.ceiling(from);
    while (day != NEVER) {
      LocalDate date = LocalDate.ofEpochDay(day);
      int distance = ahead[date.getMonthValue() - 1];
      if (distance == 0) {
        return day;
      }
      day = days.ceiling(MonthDays.firstDayOf(MonthDays.monthOf(date) + distance));
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    long day = days.floor(to);
    while (day != BEFORE) {
      LocalDate date = LocalDate.ofEpochDay(day);
      int distance = behind[date.getMonthValue() - 1];
      if (distance == 0) {
        return day;
      }
      day = days.floor(MonthDays.firstDayOf(MonthDays.monthOf(date) - distance + 1) - 1);
    }
    return BEFORE;
  }
}
