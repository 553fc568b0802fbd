package carillon.recurrence.grid;

import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceRule.NumberedDay;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Days of a year that the parts of a recurrence rule select together; from 0. */
final class RuleDays {
  private static final int WEEK = 7;

  /** Minimum number of days of the first week that lie in the year (ISO 8601). */
  private static final int LEAST_OF_WEEK = 4;

  private final RecurrenceRule rule;
  private final int year;
  private final int length;
  private final DayOfWeek first;
  private final BitSet days = new BitSet();

  private RuleDays(RecurrenceRule rule, int year) {
    this.rule = rule;
    this.year = year;
    this.length = Year.of(year).length();
    this.first = LocalDate.ofYearDay(year, 1).getDayOfWeek();
    days.set(0, length);
  }

  /** The days that all parts of the rule select. */
  static BitSet of(RecurrenceRule rule, int year) {
    RuleDays selection = new RuleDays(rule, year);
    selection.limit(rule.months(), selection.inMonths());
    selection.limit(rule.monthDays(), selection.monthDays());
    selection.limit(rule.yearDays(), selection.yearDays());
    selection.limit(rule.weekNumbers(), selection.weeks());
    selection.limit(rule.weekDays(), selection.weekDays());
    return selection.days;
  }

  private void limit(List<?> part, BitSet selected) {
    if (!part.isEmpty()) {
      days.and(selected);
    }
  }

  /** The months that the rule names, or all. */
  private IntStream months() {
    return rule.months().isEmpty()
        ? IntStream.rangeClosed(1, 12)
        : rule.months().stream().mapToInt(month -> month);
  }

  private BitSet inMonths() {
    BitSet found = new BitSet();
    months().forEach(month -> found.set(startOf(month), endOf(month)));
    return found;
  }

  private BitSet monthDays() {
    BitSet found = new BitSet();
    months().forEach(month -> rule.monthDays().forEach(day -> mark(found, month(month), day)));
    return found;
  }

  private BitSet yearDays() {
    BitSet found = new BitSet();
    rule.yearDays().forEach(day -> mark(found, new Span(0, length), day));
    return found;
  }

  /** Marks the n-th day of a span; none if the span is too short. */
  private static void mark(BitSet found, Span span, int day) {
    int place = day > 0 ? span.start() + day - 1 : span.end() + day;
    if (place >= span.start() && place < span.end()) {
      found.set(place);
    }
  }

  private BitSet weekDays() {
    BitSet found = new BitSet();
    for (NumberedDay day : rule.weekDays()) {
      if (day.isNumbered() && !rule.months().isEmpty()) {
        months().forEach(month -> markWeekDay(found, month(month), day));
      } else {
        markWeekDay(found, new Span(0, length), day);
      }
    }
    return found;
  }

  private void markWeekDay(BitSet found, Span span, NumberedDay wanted) {
    int earliest =
        span.start()
            + Math.floorMod(wanted.day().getValue() - first.getValue() - span.start(), WEEK);
    int count = (span.end() - earliest + WEEK - 1) / WEEK;
    if (!wanted.isNumbered()) {
      IntStream.range(0, count).forEach(n -> found.set(earliest + WEEK * n));
      return;
    }
    int n = wanted.number() > 0 ? wanted.number() - 1 : count + wanted.number();
    if (n >= 0 && n < count) {
      found.set(earliest + WEEK * n);
    }
  }

  /**
   * Selects weeks. Days before the first week belong to the last week of the year before, and can
   * be counted from the end.
   */
  private BitSet weeks() {
    BitSet found = new BitSet();
    int before = -Year.of(year - 1).length();
    int behind = length + Year.of(year + 1).length();
    markWeeks(found, before + firstWeek(year - 1), firstWeek(year));
    markWeeks(found, firstWeek(year), length + firstWeek(year + 1));
    markWeeks(found, length + firstWeek(year + 1), behind + firstWeek(year + 2));
    return found;
  }

  /** Marks the days of this year that lie in the selected weeks between two days. */
  private void markWeeks(BitSet found, int start, int end) {
    int count = (end - start) / WEEK;
    for (int number : rule.weekNumbers()) {
      int week = number > 0 ? number - 1 : count + number;
      if (week >= 0 && week < count) {
        int low = Math.max(0, start + WEEK * week);
        int high = Math.min(length, start + WEEK * (week + 1));
        found.set(low, Math.max(low, high));
      }
    }
  }

  /** Returns the first day of the first week of a year, counted from that year's first day. */
  private int firstWeek(int year) {
    int weekDay = LocalDate.ofYearDay(year, 1).getDayOfWeek().getValue();
    int next = Math.floorMod(rule.weekStart().getValue() - weekDay, WEEK);
    return next >= LEAST_OF_WEEK ? next - WEEK : next;
  }

  private Span month(int month) {
    return new Span(startOf(month), endOf(month));
  }

  private int startOf(int month) {
    return LocalDate.of(year, month, 1).getDayOfYear() - 1;
  }

  private int endOf(int month) {
    return month == 12 ? length : startOf(month + 1);
  }

  /** Days from one to another (exclusive). */
  private record Span(int start, int end) {}
}
