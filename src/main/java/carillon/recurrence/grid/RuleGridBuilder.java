package carillon.recurrence.grid;

import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.grid.PositionGrid.DayRank;
import carillon.recurrence.grid.PositionGrid.Positions;
import carillon.recurrence.rrule.RecurrenceRule;
import carillon.recurrence.rrule.RecurrenceRule.NumberedDay;
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
 * Compiler of recurrence rules into grids of seconds since 1970, in local time as if it were UTC,
 * without their bounds. Parts that the rule does not give come from its anchor (RFC 5545, 3.3.10).
 */
final class RuleGridBuilder {
  private static final int HOURS = 24;
  private static final int SIXTY = 60;
  private static final int DAY_MINUTES = HOURS * SIXTY;
  private static final int DAY_SECONDS = DAY_MINUTES * SIXTY;

  /** Maximum number of days of a month with the same weekday. */
  private static final int MOST_OF_MONTH = 5;

  private static final int MAX_WEEK_CYCLE = 7 * DAY_MINUTES;

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
    return rule.positions().isEmpty() ? builder.elements() : builder.positioned();
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

  /** Returns the elements of each period at the positions of the rule. */
  private Grid positioned() {
    int[] zero = {0};
    int[] seconds = array(rule.seconds(), anchor.getSecond());
    int[] minutes = array(rule.minutes(), anchor.getMinute());
    int[] hours = array(rule.hours(), anchor.getHour());
    int[] numbers = rule.positions().stream().mapToInt(number -> number).toArray();
    return switch (rule.frequency()) {
      case SECONDLY ->
          positioned(inDays(seconds(), DAY_SECONDS), 1, new Positions(numbers, zero, zero, zero));
      case MINUTELY ->
          positioned(
              inDays(minutes(), DAY_MINUTES), SIXTY, new Positions(numbers, zero, zero, seconds));
      case HOURLY ->
          positioned(
              inDays(hours(), HOURS),
              SIXTY * SIXTY,
              new Positions(numbers, zero, minutes, seconds));
      case DAILY ->
          positioned(
              inMonths(days()), DAY_SECONDS, new Positions(numbers, hours, minutes, seconds));
      default -> positioned(new Positions(numbers, hours, minutes, seconds));
    };
  }

  /** Periods that all have the same elements. */
  private static Grid positioned(Grid periods, int size, Positions positions) {
    return expanded(periods, size, 0, positions.secondsOf(0));
  }

  private static Grid expanded(Grid units, int size, int origin, int... offsets) {
    return offsets.length == 0
        ? ArithmeticGrid.none()
        : new ExpandedGrid(units, size, origin, offsets);
  }

  /** Periods of different days. */
  private Grid positioned(Positions positions) {
    return switch (rule.frequency()) {
      case WEEKLY -> positionedWeeks(positions);
      case MONTHLY -> {
        int[] days = masks(monthDays());
        MonthDays all = monthDays(days);
        int[] taken =
            IntStream.of(days)
                .map(
                    mask ->
                        (int)
                            bits(
                                positions.daysOf(
                                    BitSet.valueOf(new long[] {Integer.toUnsignedLong(mask)}))))
                .toArray();
        yield new PositionGrid(monthDays(taken), all::rankOf, positions);
      }
      default -> {
        IntFunction<BitSet> days = yearDays();
        YearDays all = new YearDays(everyYear(), days);
        YearDays taken = new YearDays(everyOtherYear(), year -> positions.daysOf(days.apply(year)));
        yield new PositionGrid(taken, all::rankOf, positions);
      }
    };
  }

  private static long bits(BitSet days) {
    return days.isEmpty() ? 0 : days.toLongArray()[0];
  }

  private Grid positionedWeeks(Positions positions) {
    int[] offsets = weekDays();
    if (rule.months().isEmpty()) {
      return expanded(
          everyOtherWeek(),
          7 * DAY_SECONDS,
          weekOrigin() * DAY_SECONDS,
          positions.secondsOf(offsets));
    }
    if (IntStream.rangeClosed(1, offsets.length).allMatch(n -> positions.daysOf(n).isEmpty())) {
      return ArithmeticGrid.none();
    }
    IntPredicate inMonths = in(rule.months());
    return new PositionGrid(weeks(), day -> rankInWeek(day, inMonths, offsets), positions);
  }

  /** The rank of a day among those of its week that lie in certain months. */
  private DayRank rankInWeek(long day, IntPredicate inMonths, int... offsets) {
    int dayOfWeek = (int) Math.floorMod(day - weekOrigin(), 7L);
    BitSet days = new BitSet(7);
    for (int offset : offsets) {
      LocalDate date = LocalDate.ofEpochDay(day - dayOfWeek + offset);
      days.set(offset, inMonths.test(date.getMonthValue()));
    }
    return DayRank.of(days, dayOfWeek);
  }

  private Grid seconds() {
    BitSet minutes = new BitSet(DAY_MINUTES);
    IntPredicate inMinutes = minuteFilter();
    IntStream.range(0, DAY_MINUTES).filter(inMinutes).forEach(minutes::set);
    IntPredicate inSeconds = in(rule.seconds());
    return steps(
        anchorSecond,
        GridBuilder.LAST_SECOND,
        DAY_SECONDS,
        second -> minutes.get(second / SIXTY) && inSeconds.test(second % SIXTY));
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

  /** Filter by minute of the day. */
  private IntPredicate minuteFilter() {
    IntPredicate inHours = in(rule.hours());
    IntPredicate inMinutes = in(rule.minutes());
    return minute -> inHours.test(minute / SIXTY) && inMinutes.test(minute % SIXTY);
  }

  /**
   * Returns the units of a day that pass the filter. A rule without filters does not use it. If the
   * units meet weekdays in a short cycle, other weekdays are filtered out too. Otherwise a rule
   * that never matches would be searched for centuries.
   */
  private Grid steps(long base, long last, int period, IntPredicate filter) {
    boolean isFiltered =
        !rule.hours().isEmpty() || !rule.minutes().isEmpty() || !rule.seconds().isEmpty();
    int week = 7 * period;
    if (!rule.weekDays().isEmpty()
        && week / ArithmeticGrid.gcd(rule.interval(), week) <= MAX_WEEK_CYCLE) {
      IntPredicate inWeek = inWeek();
      return ArithmeticGrid.filtered(
          base,
          rule.interval(),
          last,
          week,
          unit -> inWeek.test(unit / period) && filter.test(unit % period));
    }
    return isFiltered
        ? ArithmeticGrid.filtered(base, rule.interval(), last, period, filter)
        : ArithmeticGrid.every(base, rule.interval(), last);
  }

  /** Returns the units shorter than a day that lie on days allowed by the rule. */
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
    IntPredicate inWeek = inWeek();
    return ArithmeticGrid.filtered(
        anchor.toLocalDate().toEpochDay(), rule.interval(), Grid.LAST_DAY.toEpochDay(), 7, inWeek);
  }

  /** Filter by day modulo 7: passes the weekdays of the rule. */
  private IntPredicate inWeek() {
    IntPredicate places = in(rule.weekDays().stream().map(day -> place(day.day())).toList());
    // Day 0, 1 January 1970, was a Thursday.
    return day -> places.test((day + 3) % 7);
  }

  /** Returns the days that lie in allowed months. Weekdays have limited them already. */
  private Grid inMonths(Grid days) {
    return rule.months().isEmpty() && rule.monthDays().isEmpty()
        ? days
        : new CommonGrid(days, 1, allowedDays());
  }

  private Grid weeks() {
    Grid found = new ExpandedGrid(everyOtherWeek(), 7, weekOrigin(), weekDays());
    return rule.months().isEmpty() ? found : new MonthFilter(found, rule.months());
  }

  /** The day on which week 0 begins. */
  private int weekOrigin() {
    // The Monday before 1 January 1970 is day -3.
    return place(rule.weekStart()) - 3;
  }

  private Grid everyOtherWeek() {
    int origin = weekOrigin();
    return ArithmeticGrid.every(
        weekOf(anchor.toLocalDate(), origin), rule.interval(), weekOf(Grid.LAST_DAY, origin));
  }

  /** Weekdays as offsets from the first day of a week. */
  private int[] weekDays() {
    List<DayOfWeek> days =
        rule.weekDays().isEmpty()
            ? List.of(anchor.getDayOfWeek())
            : rule.weekDays().stream().map(NumberedDay::day).toList();
    return days.stream()
        .mapToInt(day -> Math.floorMod(place(day) - place(rule.weekStart()), 7))
        .toArray();
  }

  private static long weekOf(LocalDate day, int origin) {
    return Math.floorDiv(day.toEpochDay() - origin, 7L);
  }

  private Grid months() {
    return monthDays(masks(monthDays()));
  }

  private MonthDays monthDays(int[] masks) {
    return new MonthDays(filteredMonths(rule.interval()), rule.interval(), masks);
  }

  /** Days of the month of the rule, or that of the anchor if the rule selects no days. */
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

  /** Masks of the days that month days and weekdays both select, by the shape of a month. */
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
    Grid years = everyOtherYear();
    return isOfMonths() ? monthsOf(years) : new YearDays(years, yearDays());
  }

  /** Whether the days can be found month by month, which is faster. */
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
    RecurrenceRule selecting = selecting();
    return year -> RuleDays.of(selecting, year);
  }

  /** Returns the rule with the parts from its anchor that it needs to select days of a year. */
  private RecurrenceRule selecting() {
    if (!rule.selectsDays()) {
      return rule.withDays(
          List.of(),
          List.of(anchor.getDayOfMonth()),
          rule.months().isEmpty() ? List.of(anchor.getMonthValue()) : rule.months());
    }
    boolean isAnchors =
        rule.weekDays().isEmpty() && rule.monthDays().isEmpty() && rule.yearDays().isEmpty();
    return isAnchors
        ? rule.withDays(
            List.of(new NumberedDay(NumberedDay.EVERY, anchor.getDayOfWeek())),
            List.of(),
            rule.months())
        : rule;
  }

  private Grid everyOtherYear() {
    return ArithmeticGrid.every(anchor.getYear(), rule.interval(), LAST_YEAR);
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

  /** Filter that passes the values of a part, or everything if the part is not given. */
  private static IntPredicate in(List<Integer> part) {
    if (part.isEmpty()) {
      return value -> true;
    }
    BitSet values = new BitSet();
    part.forEach(values::set);
    return values::get;
  }

  /** Position of a day in the week, where 0 is Monday. */
  private static int place(DayOfWeek day) {
    return day.getValue() - 1;
  }
}
