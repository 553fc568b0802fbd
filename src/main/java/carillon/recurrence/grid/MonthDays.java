package carillon.recurrence.grid;

import carillon.recurrence.grid.PositionGrid.DayRank;
import java.time.LocalDate;
import java.time.temporal.ChronoField;

/**
 * Selected days of each month of a grid: takes proleptic months and yields epoch days. A selector
 * depends only on the {@link MonthShape}. There are 28 shapes, so selectors are compiled to one bit
 * mask of days per shape.
 */
final class MonthDays implements Grid {
  /**
   * The Gregorian calendar repeats after 400 years, as their 146097 days are whole weeks: the shape
   * of a month depends on its number modulo 4800.
   */
  private static final int CALENDAR_PERIOD = 4800;

  private static final long CALENDAR_DAYS = 146_097;

  /** The day of 1 January of the year 0. */
  private static final long ORIGIN = LocalDate.of(0, 1, 1).toEpochDay();

  /** The first day of each month of the calendar's period, from its start on. */
  private static final int[] FIRST_DAYS = new int[CALENDAR_PERIOD];

  /** The shape of each of these months. */
  private static final byte[] SHAPES = new byte[CALENDAR_PERIOD];

  static {
    LocalDate first = LocalDate.of(0, 1, 1);
    for (int month = 0; month < CALENDAR_PERIOD; month++) {
      LocalDate day = first.plusMonths(month);
      FIRST_DAYS[month] = (int) (day.toEpochDay() - ORIGIN);
      SHAPES[month] = (byte) MonthShape.index(day.lengthOfMonth(), day.toEpochDay());
    }
  }

  private final Grid months;
  private final int[] masks;

  /**
   * Number of months to search. Months that are {@code step} apart, all or only certain months of
   * the year, repeat their shapes. The cycle is the least common multiple of step and calendar
   * period, which 12 divides. If a cycle has no selected day, there is none at all. A cycle holds
   * at most 400 Februaries. The longest wait in it is 1131 years: every 13 months, for a 29
   * February that is a Sunday.
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
      int days = maskOf(next) & (next == month ? inRange : -1);
      if (days != 0) {
        return firstDayOf(next) + Integer.numberOfTrailingZeros(days);
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
      int days = maskOf(next) & (next == month ? inRange : -1);
      if (days != 0) {
        return firstDayOf(next) + 31 - Integer.numberOfLeadingZeros(days);
      }
    }
    return BEFORE;
  }

  /** Whether a search continues at a month: at most one period away from its first month. */
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

  /** The rank of a selected day among those of its month. */
  DayRank rankOf(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    int mask = maskOf(monthOf(date));
    int before = (1 << (date.getDayOfMonth() - 1)) - 1;
    return new DayRank(Integer.bitCount(mask & before), Integer.bitCount(mask));
  }

  /** Number of selected days before {@code day} in its month. */
  private int daysBefore(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    long month = monthOf(date);
    int before = (1 << (date.getDayOfMonth() - 1)) - 1;
    return months.ceiling(month) == month ? Integer.bitCount(maskOf(month) & before) : 0;
  }

  private int maskOf(long month) {
    return masks[SHAPES[(int) Math.floorMod(month, (long) CALENDAR_PERIOD)]];
  }

  static long monthOf(LocalDate date) {
    return date.getLong(ChronoField.PROLEPTIC_MONTH);
  }

  static long firstDayOf(long month) {
    return ORIGIN
        + Math.floorDiv(month, (long) CALENDAR_PERIOD) * CALENDAR_DAYS
        + FIRST_DAYS[(int) Math.floorMod(month, (long) CALENDAR_PERIOD)];
  }
}
