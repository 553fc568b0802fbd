package carillon.recurrence.cron;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Local times that a cron expression matches, independent of its dialect. Two expressions that
 * match the same times are equal. All numbers are in increasing order.
 *
 * @param seconds 0..59
 * @param minutes 0..59
 * @param hours 0..23
 * @param dayMasks the days of a month by its shape, at {@code (length - 28) * 7 + weekday of the
 *     first day - 1}: bit d - 1 is set when day d matches
 * @param months 1..12
 * @param years none for each
 * @param isWildcard whether minutes or hours begin with {@code *}, or all hours match: such a
 *     schedule continues in elapsed time when clocks change (Debian's cron)
 */
public record CronExpression(
    List<Integer> seconds,
    List<Integer> minutes,
    List<Integer> hours,
    List<Integer> dayMasks,
    List<Integer> months,
    List<Integer> years,
    boolean isWildcard) {
  private static final int SHORTEST_MONTH = 28;
  private static final int LONGEST_MONTH = 31;

  public CronExpression {
    seconds = List.copyOf(seconds);
    minutes = List.copyOf(minutes);
    hours = List.copyOf(hours);
    dayMasks = List.copyOf(dayMasks);
    months = List.copyOf(months);
    years = List.copyOf(years);
  }

  /** Combination of the two fields of days. */
  public enum BothDays {
    /** A day matches when both fields do. */
    BOTH,
    /** A day matches when one of the fields does. */
    EITHER
  }

  /** The expression that matches a single local time. */
  public static CronExpression at(LocalDateTime time) {
    return new CronExpression(
        List.of(time.getSecond()),
        List.of(time.getMinute()),
        List.of(time.getHour()),
        masks(DayRule.of(time.getDayOfMonth())),
        List.of(time.getMonthValue()),
        List.of(time.getYear()),
        false);
  }

  /** The days that match two fields, in all shapes of months. */
  static List<Integer> dayMasks(FieldValues ofMonth, FieldValues ofWeek, BothDays both) {
    return masks(
        (length, first) -> {
          int inMonth = ofMonth(ofMonth, length, first);
          int inWeek = ofWeek(ofWeek, length, first);
          return both == BothDays.BOTH ? inMonth & inWeek : inMonth | inWeek;
        });
  }

  /** The days that a rule selects, in all shapes of months. */
  static List<Integer> masks(DayRule rule) {
    List<Integer> masks = new ArrayList<>();
    for (int length = SHORTEST_MONTH; length <= LONGEST_MONTH; length++) {
      for (DayOfWeek first : DayOfWeek.values()) {
        masks.add(rule.days(length, first));
      }
    }
    return List.copyOf(masks);
  }

  /** Whether no day is left out. */
  public boolean isEveryDay() {
    return dayMasks.equals(masks((length, first) -> -1 >>> (Integer.SIZE - length)));
  }

  /** Returns the days of the week of the matching days, in any month. */
  public Set<DayOfWeek> weekDays() {
    Set<DayOfWeek> found = EnumSet.noneOf(DayOfWeek.class);
    for (int shape = 0; shape < dayMasks.size(); shape++) {
      DayOfWeek first = DayOfWeek.of(shape % DayOfWeek.values().length + 1);
      BitSet.valueOf(new long[] {Integer.toUnsignedLong(dayMasks.get(shape))}).stream()
          .forEach(day -> found.add(first.plus(day)));
    }
    return found;
  }

  /** The days in words: "the last Friday"; empty if there are no words for them. */
  public Optional<List<String>> daysInWords() {
    return DayWords.of(dayMasks);
  }

  private static int ofMonth(FieldValues values, int length, DayOfWeek first) {
    int mask = byRules(values, length, first);
    for (int day : values.sorted()) {
      mask |= DayRule.of(day).days(length, first);
    }
    return mask;
  }

  private static int ofWeek(FieldValues values, int length, DayOfWeek first) {
    int mask = byRules(values, length, first);
    for (int weekDay : values.sorted()) {
      mask |= DayRule.every(weekDay).days(length, first);
    }
    return mask;
  }

  private static int byRules(FieldValues values, int length, DayOfWeek first) {
    return values.rules().stream()
        .mapToInt(rule -> rule.days(length, first))
        .reduce(0, (one, other) -> one | other);
  }

  /**
   * Parsed form of one field of an expression.
   *
   * @param numbers all numbers that are written, or follow from ranges and steps
   * @param rules selectors of a field of days that depend on the month
   * @param isStarred whether it begins with {@code *}, or is {@code ?}
   */
  record FieldValues(BitSet numbers, List<DayRule> rules, boolean isStarred) {
    FieldValues {
      rules = List.copyOf(rules);
    }

    int[] sorted() {
      return numbers.stream().toArray();
    }
  }
}
