package carillon.recurrence;

import java.time.LocalDate;
import java.time.temporal.ChronoField;

/**
 * The selected days of each month of a grid: proleptic months in, epoch days out. Which days a
 * selector picks depends only on the month's {@link MonthShape}, and there are 28 of those, so the
 * selectors are compiled to one bit mask of days per shape.
 */
final class MonthDays implements Grid {
  /**
   * The Gregorian calendar repeats after 400 years, as their 146097 days are whole weeks: the shape
   * of a month depends on its number modulo 4800.
   */
  private static final int CALENDAR_PERIOD = 4800;

  private final Grid months;
  private final int[] masks;

  /**
   * How many months to search. Months that are {@code step} apart, all of them or those of certain
   * months of the year, repeat their shapes after the least common multiple of step and calendar
   * period (of which 12 is a divisor). Where one such stretch has no selected day, none ever has.
   * It holds 400 Februaries at most; the longest wait in it is that of every 13 months for a 29
   * February that is a Sunday, 1131 years.
   */
  private final long period;

  /**
   * @param months {@code step} apart, some of them possibly left out by month of the year
   * @param masks by {@link MonthShape#index}: bit d - 1 is set when day d is selected
   */
  MonthDays(Grid months, int step, int[] masks) {
    this.months = months;
    this.period = (long) CALENDAR_PERIOD / ArithmeticGrid.gcd(step, CALENDAR_PERIOD) * step;
    this.masks = masks;
  }

  @Override
  public long ceiling(long from) {
    LocalDate day = LocalDate.ofEpochDay(from);
    long month = monthOf(day);
    int inRange = -1 << (day.getDayOfMonth() - 1);
    long begin = months.ceiling(month);
    for (long next = begin; isNear(begin, next); next = months.ceiling(next + 1)) {
      long first = firstDayOf(next);
      int days = maskOf(next, first) & (next == month ? inRange : -1);
      if (days != 0) {
        return first + Integer.numberOfTrailingZeros(days);
      }
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    LocalDate day = LocalDate.ofEpochDay(to);
    long month = monthOf(day);
    int inRange = -1 >>> (31 - (day.getDayOfMonth() - 1));
    long begin = months.floor(month);
    for (long next = begin; isNear(begin, next); next = months.floor(next - 1)) {
      long first = firstDayOf(next);
      int days = maskOf(next, first) & (next == month ? inRange : -1);
      if (days != 0) {
        return first + 31 - Integer.numberOfLeadingZeros(days);
      }
    }
    return BEFORE;
  }

  /** Whether the search that began there is to go on at this month. */
  private boolean isNear(long begin, long month) {
    return month != NEVER && month != BEFORE && Math.abs(month - begin) <= period;
  }

  @Override
  public long count(long from, long to, long limit) {
    int perMonth = Integer.bitCount(masks[0]);
    for (int mask : masks) {
      if (Integer.bitCount(mask) != perMonth) {
        return Grid.super.count(from, to, limit);
      }
    }
    if (perMonth == 0) {
      return 0;
    }
    long whole =
        months.count(
            monthOf(LocalDate.ofEpochDay(from)),
            monthOf(LocalDate.ofEpochDay(to)),
            limit / perMonth + 2);
    return Math.min(limit, whole * perMonth - daysBefore(from) + daysBefore(to));
  }

  /** How many selected days of the month that contains {@code day} lie before it. */
  private int daysBefore(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    long month = monthOf(date);
    int before = (1 << (date.getDayOfMonth() - 1)) - 1;
    return months.ceiling(month) == month
        ? Integer.bitCount(maskOf(month, firstDayOf(month)) & before)
        : 0;
  }

  private int maskOf(long month, long firstDay) {
    int length = (int) (firstDayOf(month + 1) - firstDay);
    return masks[MonthShape.index(length, firstDay)];
  }

  static long monthOf(LocalDate date) {
    return date.getLong(ChronoField.PROLEPTIC_MONTH);
  }

  private static long firstDayOf(long month) {
    int year = (int) Math.floorDiv(month, 12L);
    return LocalDate.of(year, (int) Math.floorMod(month, 12L) + 1, 1).toEpochDay();
  }
}
