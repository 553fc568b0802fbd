package carillon.recurrence;

import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.rrule.NumberedDay;
import carillon.recurrence.rrule.RecurrenceRule;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Compiles a recurrence rule to the grid of its seconds since 1970, in local time as if it were
 * UTC, without its bounds. What the rule does not say is its anchor's (RFC 5545, 3.3.10).
 */
final class RuleGridBuilder {
  private static final int HOURS = 24;
  private static final int SIXTY = 60;
  private static final int DAY_MINUTES = HOURS * SIXTY;
  private static final int DAY_SECONDS = DAY_MINUTES * SIXTY;

  /** No month has more of one weekday. */
  private static final int MOST_OF_MONTH = 5;

  private static final int LAST_YEAR = Grid.LAST_DAY.getYear();

  private final RecurrenceRule rule;
  private final LocalDateTime anchor;
  private final long anchorSecond;

  private RuleGridBuilder(RecurrenceRule rule, LocalDateTime anchor) {
    this.rule = rule;
    this.anchor = anchor;
    this.anchorSecond = anchor.toEpochSecond(ZoneOffset.UTC);
  }

  /**
   * The grid of a rule.
   *
   * @param anchor from which its periods are counted
   */
  static Grid build(RecurrenceRule rule, LocalDateTime anchor) {
    RuleGridBuilder builder = new RuleGridBuilder(rule, anchor);
    Grid elements = builder.elements();
    return rule.positions().isEmpty()
        ? elements
        : new PositionGrid(elements, rule.positions(), RulePeriods.of(rule));
  }

  private Grid elements() {
    return switch (rule.frequency()) {
      case SECONDLY -> inDays(seconds(), DAY_SECONDS);
      case MINUTELY -> secondsOf(inDays(minutes(), DAY_MINUTES));
      case HOURLY -> minutesOf(inDays(hours(), HOURS));
      case DAILY -> hoursOf(inMonths(days()));
      case WEEKLY -> hoursOf(weeks());
      case MONTHLY -> hoursOf(months());
      case YEARLY -> hoursOf(years());
    };
  }

  private Grid seconds() {
    IntPredicate inMinutes = minuteFilter();
    IntPredicate inSeconds = in(rule.seconds());
    return steps(
        anchorSecond,
        GridBuilder.LAST_SECOND,
        DAY_SECONDS,
        second -> inSeconds.test(second % SIXTY) && inMinutes.test(second / SIXTY));
  }

  private Grid minutes() {
    return steps(
        Math.floorDiv(anchorSecond, (long) SIXTY),
        GridBuilder.LAST_SECOND / SIXTY,
        DAY_MINUTES,
        minuteFilter());
  }

  private Grid hours() {
    return steps(
        Math.floorDiv(anchorSecond, (long) SIXTY * SIXTY),
        GridBuilder.LAST_SECOND / SIXTY / SIXTY,
        HOURS,
        in(rule.hours()));
  }

  /** By minute of the day. */
  private IntPredicate minuteFilter() {
    IntPredicate inHours = in(rule.hours());
    IntPredicate inMinutes = in(rule.minutes());
    return minute -> inHours.test(minute / SIXTY) && inMinutes.test(minute % SIXTY);
  }

  /** What passes the filter of a day's units; a rule that filters nothing has no use for it. */
  private Grid steps(long base, long last, int period, IntPredicate filter) {
    boolean isFiltered =
        !rule.hours().isEmpty() || !rule.minutes().isEmpty() || !rule.seconds().isEmpty();
    return isFiltered
        ? ArithmeticGrid.filtered(base, rule.interval(), last, period, filter)
        : ArithmeticGrid.every(base, rule.interval(), last);
  }

  /** Of units shorter than a day those on the days that the rule allows. */
  private Grid inDays(Grid units, int perDay) {
    return rule.selectsDays() || !rule.months().isEmpty()
        ? new CommonGrid(units, perDay, allowedDays())
        : units;
  }

  private Grid allowedDays() {
    return rule.yearDays().isEmpty()
        ? new MonthDays(filteredMonths(1), 1, masks(rule.monthDays()))
        : new YearDays(everyYear(), year -> RuleDays.of(rule, year));
  }

  private Grid days() {
    IntPredicate inWeek = in(rule.weekDays().stream().map(day -> place(day.day())).toList());
    // Day 0, 1 January 1970, was a Thursday.
    return ArithmeticGrid.filtered(
        anchor.toLocalDate().toEpochDay(),
        rule.interval(),
        Grid.LAST_DAY.toEpochDay(),
        7,
        day -> inWeek.test((day + 3) % 7));
  }

  /** Of days, which a weekday has limited already, those on the days of months that are allowed. */
  private Grid inMonths(Grid days) {
    return rule.months().isEmpty() && rule.monthDays().isEmpty()
        ? days
        : new CommonGrid(days, 1, allowedDays());
  }

  private Grid weeks() {
    // The Monday before 1 January 1970 is day -3.
    int origin = place(rule.weekStart()) - 3;
    Grid weeks =
        ArithmeticGrid.every(
            weekOf(anchor.toLocalDate(), origin), rule.interval(), weekOf(Grid.LAST_DAY, origin));
    List<DayOfWeek> days =
        rule.weekDays().isEmpty()
            ? List.of(anchor.getDayOfWeek())
            : rule.weekDays().stream().map(NumberedDay::day).toList();
    int[] offsets =
        days.stream()
            .mapToInt(day -> Math.floorMod(place(day) - place(rule.weekStart()), 7))
            .toArray();
    Grid found = new ExpandedGrid(weeks, 7, origin, offsets);
    return rule.months().isEmpty() ? found : new MonthFilter(found, rule.months());
  }

  private static long weekOf(LocalDate day, int origin) {
    return Math.floorDiv(day.toEpochDay() - origin, 7L);
  }

  private Grid months() {
    return new MonthDays(filteredMonths(rule.interval()), rule.interval(), masks(monthDays()));
  }

  /** Those of the rule, or where it selects no days the anchor's. */
  private List<Integer> monthDays() {
    return rule.selectsDays() ? rule.monthDays() : List.of(anchor.getDayOfMonth());
  }

  private Grid filteredMonths(int step) {
    IntPredicate inMonths = in(rule.months());
    return ArithmeticGrid.filtered(
        step == 1 ? 0 : MonthDays.monthOf(anchor.toLocalDate()),
        step,
        MonthDays.monthOf(Grid.LAST_DAY),
        12,
        month -> inMonths.test(month + 1));
  }

  /** By the shape of a month the days that both month days and weekdays select. */
  private int[] masks(List<Integer> monthDays) {
    List<MonthlyOccurrence> weekDays =
        rule.weekDays().stream()
            .filter(day -> Math.abs(day.number()) <= MOST_OF_MONTH)
            .map(day -> new MonthlyOccurrence(day.day(), day.number()))
            .toList();
    Schedule ofMonth =
        new Schedule(List.of(), List.of(), List.of(), monthDays, List.of(), List.of());
    Schedule ofWeek = new Schedule(List.of(), List.of(), List.of(), List.of(), weekDays, List.of());
    return MonthShape.masks(
        shape ->
            (monthDays.isEmpty() ? -1 >>> (32 - shape.length()) : shape.selected(ofMonth))
                & (rule.weekDays().isEmpty() ? -1 : shape.selected(ofWeek)));
  }

  private Grid years() {
    Grid years = ArithmeticGrid.every(anchor.getYear(), rule.interval(), LAST_YEAR);
    return isOfMonths() ? monthsOf(years) : new YearDays(years, yearDays());
  }

  /** Whether the days can be told month by month, which is quicker. */
  private boolean isOfMonths() {
    return rule.yearDays().isEmpty()
        && rule.weekNumbers().isEmpty()
        && (!rule.months().isEmpty() || !rule.numbersWeekDays());
  }

  private Grid monthsOf(Grid years) {
    boolean isAnchors = rule.months().isEmpty() && !rule.selectsDays();
    int[] inYear =
        isAnchors
            ? new int[] {anchor.getMonthValue() - 1}
            : rule.months().isEmpty()
                ? IntStream.range(0, 12).toArray()
                : rule.months().stream().mapToInt(month -> month - 1).toArray();
    Grid months = new ExpandedGrid(years, 12, inYear);
    return new MonthDays(months, 12 * rule.interval(), masks(monthDays()));
  }

  private IntFunction<BitSet> yearDays() {
    boolean isAnchors =
        !rule.weekNumbers().isEmpty()
            && rule.weekDays().isEmpty()
            && rule.monthDays().isEmpty()
            && rule.yearDays().isEmpty();
    RecurrenceRule selecting =
        isAnchors
            ? rule.withWeekDay(new NumberedDay(NumberedDay.EVERY, anchor.getDayOfWeek()))
            : rule;
    return year -> RuleDays.of(selecting, year);
  }

  private static Grid everyYear() {
    return ArithmeticGrid.every(0, 1, LAST_YEAR);
  }

  private Grid hoursOf(Grid days) {
    return minutesOf(new ExpandedGrid(days, HOURS, array(rule.hours(), anchor.getHour())));
  }

  private Grid minutesOf(Grid hours) {
    return secondsOf(new ExpandedGrid(hours, SIXTY, array(rule.minutes(), anchor.getMinute())));
  }

  private Grid secondsOf(Grid minutes) {
    return new ExpandedGrid(minutes, SIXTY, array(rule.seconds(), anchor.getSecond()));
  }

  private static int[] array(List<Integer> values, int otherwise) {
    return values.isEmpty()
        ? new int[] {otherwise}
        : values.stream().mapToInt(value -> value).toArray();
  }

  /** Passes the values of a part; everything, if it is not given. */
  private static IntPredicate in(List<Integer> part) {
    if (part.isEmpty()) {
      return value -> true;
    }
    BitSet values = new BitSet();
    part.forEach(values::set);
    return values::get;
  }

  /** 0 is Monday. */
  private static int place(DayOfWeek day) {
    return day.getValue() - 1;
  }
}
