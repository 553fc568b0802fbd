package carillon.recurrence.grid;

import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import java.time.DayOfWeek;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Shape of a month for day selectors: its length and the weekday of its first day. Sets of its days
 * are bit masks, bit d - 1 for day d.
 *
 * @param length 28..31
 * @param first the weekday of its first day
 */
public record MonthShape(int length, DayOfWeek first) {
  private static final int COUNT = 28;

  /** The masks for all shapes, by {@link #index}. */
  static int[] masks(ToIntFunction<MonthShape> selector) {
    int[] masks = new int[COUNT];
    for (int index = 0; index < COUNT; index++) {
      masks[index] =
          selector.applyAsInt(new MonthShape(28 + index / 7, DayOfWeek.of(index % 7 + 1)));
    }
    return masks;
  }

  /** The masks for all shapes, by {@link #index}, as a list for cron expressions. */
  public static List<Integer> listOf(ToIntFunction<MonthShape> selector) {
    return IntStream.of(masks(selector)).boxed().toList();
  }

  /**
   * @param firstDay epoch day of the month's first day
   */
  static int index(int length, long firstDay) {
    // Day 0, 1 January 1970, was a Thursday: place 3 of a week that begins on Monday.
    return (length - 28) * 7 + (int) Math.floorMod(firstDay + 3, 7L);
  }

  /** The days a schedule selects: the union of its month days and monthly occurrences. */
  public int selected(Schedule schedule) {
    int mask = 0;
    for (int monthDay : schedule.monthDays()) {
      mask |= bit(monthDay > 0 ? monthDay : length + 1 + monthDay);
    }
    for (MonthlyOccurrence occurrence : schedule.monthlyOccurrences()) {
      mask |= selected(occurrence);
    }
    return mask;
  }

  /** Returns the day of a start, or the last day of a shorter month. */
  public int clamped(int day) {
    return bit(Math.min(day, length));
  }

  /** Each day. */
  public int all() {
    return -1 >>> (Integer.SIZE - length);
  }

  /** All days of the month on this weekday. */
  public int every(DayOfWeek day) {
    return selected(new MonthlyOccurrence(day, MonthlyOccurrence.EVERY));
  }

  private int selected(MonthlyOccurrence wanted) {
    int earliest = 1 + Math.floorMod(wanted.day().getValue() - first.getValue(), 7);
    int latest = earliest + (length - earliest) / 7 * 7;
    if (wanted.occurrence() > 0) {
      return bit(earliest + 7 * (wanted.occurrence() - 1));
    }
    if (wanted.occurrence() < 0) {
      return bit(latest + 7 * (wanted.occurrence() + 1));
    }
    int mask = 0;
    for (int day = earliest; day <= length; day += 7) {
      mask |= bit(day);
    }
    return mask;
  }

  /**
   * Returns nothing for a day that this month does not have: such days are skipped, never clamped.
   */
  private int bit(int day) {
    return day >= 1 && day <= length ? 1 << (day - 1) : 0;
  }
}
