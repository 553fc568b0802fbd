package carillon.recurrence.grid;

import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Schedule;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Compiler of periodic recurrences into grids of seconds since 1970. They count from an anchor: the
 * startTime, or the submission's minute, in local time as if it were UTC. Fields that the
 * recurrence does not give come from the anchor: its second, minute, hour, weekday, day of month.
 */
public final class GridBuilder {
  private static final int HOUR_SECONDS = 3600;
  private static final int DAY_SECONDS = 86400;
  public static final long LAST_SECOND = (Grid.LAST_DAY.toEpochDay() + 1) * DAY_SECONDS - 1;

  /** Day on which week 0 begins: the week of 1 January 1970, a Thursday. Weeks begin on Sunday. */
  private static final int WEEK_ORIGIN = -4;

  private final PeriodicRecurrence recurrence;
  private final Schedule schedule;
  private final int interval;
  private final OffsetDateTime anchor;

  private GridBuilder(PeriodicRecurrence recurrence, Instant anchor) {
    this.recurrence = recurrence;
    this.schedule = recurrence.schedule();
    this.interval = recurrence.interval();
    this.anchor = anchor.atOffset(ZoneOffset.UTC);
  }

  public static Grid build(PeriodicRecurrence recurrence, Instant anchor) {
    GridBuilder builder = new GridBuilder(recurrence, anchor);
    return recurrence.schedule().isEmpty() ? builder.plain() : builder.withSchedule();
  }

  private Grid plain() {
    return switch (recurrence.frequency()) {
      case SECOND, MINUTE, HOUR, DAY, WEEK -> seconds();
      case MONTH -> timesOf(startDays(interval));
      case YEAR -> timesOf(startDays(12 * interval));
    };
  }

  private Grid withSchedule() {
    return switch (recurrence.frequency()) {
      case SECOND -> seconds(); // a frequency of seconds cannot have a schedule
      case MINUTE -> minutes();
      case HOUR -> hours();
      case DAY -> timesOf(inMonths(days()));
      case WEEK -> timesOf(inMonths(weekDays()));
      case MONTH -> timesOf(selectsDays() ? selectedDays() : startDays(interval));
      case YEAR -> timesOf(startDays(12 * interval));
    };
  }

  /** The units up to a week are exact durations. */
  private Grid seconds() {
    long unit = recurrence.frequency().unit().getDuration().toSeconds();
    return ArithmeticGrid.every(anchor.toEpochSecond(), interval * unit, LAST_SECOND);
  }

  /** Minutes and hours both filter the minutes of the interval. */
  private Grid minutes() {
    IntPredicate inHours = in(schedule.hours());
    IntPredicate inMinutes = in(schedule.minutes());
    IntPredicate filter = minute -> inHours.test(minute / 60) && inMinutes.test(minute % 60);
    long base = Math.floorDiv(anchor.toEpochSecond(), 60L);
    Grid minutes = ArithmeticGrid.filtered(base, interval, LAST_SECOND / 60, 24 * 60, filter);
    return new ExpandedGrid(minutes, 60, new int[] {anchor.getSecond()});
  }

  /** Hours filter the hours of the interval, minutes expand each hour. */
  private Grid hours() {
    long base = Math.floorDiv(anchor.toEpochSecond(), (long) HOUR_SECONDS);
    long last = LAST_SECOND / HOUR_SECONDS;
    return minutesOf(ArithmeticGrid.filtered(base, interval, last, 24, in(schedule.hours())));
  }

  private Grid days() {
    return ArithmeticGrid.every(
        anchor.toLocalDate().toEpochDay(), interval, Grid.LAST_DAY.toEpochDay());
  }

  /** Calendar weeks, counted from the anchor's week. */
  private Grid weekDays() {
    Grid weeks =
        ArithmeticGrid.every(weekOf(anchor.toLocalDate()), interval, weekOf(Grid.LAST_DAY));
    List<Integer> days =
        schedule.weekDays().isEmpty()
            ? List.of(anchor.getDayOfWeek().getValue())
            : schedule.weekDays().stream().map(day -> day.getValue()).toList();
    int[] offsets = days.stream().mapToInt(day -> day % 7).toArray(); // Sunday: 7, offset 0
    return new ExpandedGrid(weeks, 7, WEEK_ORIGIN, offsets);
  }

  private static long weekOf(LocalDate day) {
    return Math.floorDiv(day.toEpochDay() - WEEK_ORIGIN, 7L);
  }

  private Grid inMonths(Grid days) {
    return schedule.months().isEmpty() ? days : new MonthFilter(days, schedule.months());
  }

  private boolean selectsDays() {
    return !schedule.monthDays().isEmpty() || !schedule.monthlyOccurrences().isEmpty();
  }

  private Grid selectedDays() {
    return monthDays(interval, shape -> shape.selected(schedule));
  }

  /**
   * The anchor's day in each month, or the last day of a shorter month: 31 January, 28 February, 31
   * March.
   */
  private Grid startDays(int step) {
    int day = anchor.getDayOfMonth();
    return monthDays(step, shape -> shape.clamped(day));
  }

  private Grid monthDays(int step, ToIntFunction<MonthShape> selector) {
    IntPredicate inMonths = in(schedule.months());
    long base = MonthDays.monthOf(anchor.toLocalDate());
    long last = MonthDays.monthOf(Grid.LAST_DAY);
    Grid months = ArithmeticGrid.filtered(base, step, last, 12, month -> inMonths.test(month + 1));
    return new MonthDays(months, step, MonthShape.masks(selector));
  }

  /** Each hour with each minute. Minutes alone mean every hour of the day. */
  private Grid timesOf(Grid days) {
    return minutesOf(new ExpandedGrid(days, 24, hoursOfDay()));
  }

  private Grid minutesOf(Grid hours) {
    int[] seconds = minutesOfHour().map(minute -> minute * 60 + anchor.getSecond()).toArray();
    return new ExpandedGrid(hours, HOUR_SECONDS, seconds);
  }

  private int[] hoursOfDay() {
    if (!schedule.hours().isEmpty()) {
      return schedule.hours().stream().mapToInt(hour -> hour).toArray();
    }
    boolean onlyMinutes = !schedule.minutes().isEmpty();
    return onlyMinutes ? IntStream.range(0, 24).toArray() : new int[] {anchor.getHour()};
  }

  private IntStream minutesOfHour() {
    return schedule.minutes().isEmpty()
        ? IntStream.of(anchor.getMinute())
        : schedule.minutes().stream().mapToInt(minute -> minute);
  }

  /** Filter that passes the values of a field, or everything if the field is not given. */
  private static IntPredicate in(List<Integer> field) {
    if (field.isEmpty()) {
      return value -> true;
    }
    BitSet values = new BitSet();
    field.forEach(values::set);
    return values::get;
  }
}
