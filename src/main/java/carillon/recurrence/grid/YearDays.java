package carillon.recurrence.grid;

import carillon.recurrence.grid.PositionGrid.DayRank;
import java.time.LocalDate;
import java.time.Year;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * Selected days of each year of a grid: takes years and yields epoch days. A selector depends only
 * on the year's first weekday, and on leap years among it and its neighbours.
 */
final class YearDays implements Grid {
  /**
   * Years after which the Gregorian calendar repeats. Steps of years repeat within the same number
   * of steps.
   */
  private static final int CALENDAR_PERIOD = 400;

  private final Grid years;
  private final IntFunction<BitSet> selector;
  private final Map<Integer, BitSet> known = new ConcurrentHashMap<>();

  /**
   * @param years equally far apart
   * @param selector by year the days of the year, from 0
   */
  YearDays(Grid years, IntFunction<BitSet> selector) {
    this.years = years;
    this.selector = selector;
  }

  private BitSet daysOf(long year) {
    int leap = Year.isLeap(year) ? 1 : Year.isLeap(year - 1) ? 2 : Year.isLeap(year + 1) ? 3 : 0;
    int shape = leap * 7 + (int) Math.floorMod(firstDayOf(year), 7L);
    return known.computeIfAbsent(shape, ignored -> selector.apply((int) year));
  }

  /** The rank of a selected day among those of its year. */
  DayRank rankOf(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    return DayRank.of(daysOf(date.getYear()), date.getDayOfYear() - 1);
  }

  @Override
  public long ceiling(long from) {
    LocalDate day = LocalDate.ofEpochDay(from);
    long year = years.ceiling(day.getYear());
    for (int tries = 0; year != NEVER && tries <= CALENDAR_PERIOD; tries++) {
      int low = year == day.getYear() ? day.getDayOfYear() - 1 : 0;
      int found = daysOf(year).nextSetBit(low);
      if (found >= 0) {
        return firstDayOf(year) + found;
      }
      year = years.ceiling(year + 1);
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    LocalDate day = LocalDate.ofEpochDay(to);
    long year = years.floor(day.getYear());
    for (int tries = 0; year != BEFORE && tries <= CALENDAR_PERIOD; tries++) {
      int high = year == day.getYear() ? day.getDayOfYear() - 1 : Year.of((int) year).length() - 1;
      int found = daysOf(year).previousSetBit(high);
      if (found >= 0) {
        return firstDayOf(year) + found;
      }
      year = years.floor(year - 1);
    }
    return BEFORE;
  }

  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    int first = LocalDate.ofEpochDay(from).getYear();
    for (long year = years.ceiling(first); found < limit; year = years.ceiling(year + 1)) {
      if (year == NEVER || firstDayOf(year) >= to) {
        return found;
      }
      long begin = firstDayOf(year);
      int low = (int) Math.max(0, from - begin);
      int high = (int) Math.min(Year.of((int) year).length(), to - begin);
      found += daysOf(year).get(low, Math.max(low, high)).cardinality();
    }
    return Math.min(found, limit);
  }

  private static long firstDayOf(long year) {
    return LocalDate.ofYearDay((int) year, 1).toEpochDay();
  }
}
