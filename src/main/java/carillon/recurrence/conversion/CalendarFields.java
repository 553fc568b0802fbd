package carillon.recurrence.conversion;

import static java.util.stream.Collectors.toCollection;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.grid.MonthShape;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Fields of a cron expression that match the same times as a recurrence with a frequency. Parts
 * that the recurrence does not give come from the anchor.
 */
final class CalendarFields {
  private static final int SECONDS_OF_DAY = 86_400;
  private static final int MINUTES_OF_DAY = 1440;
  private static final int SECONDS_OF_HOUR = 3600;
  private static final int HOURS_OF_DAY = 24;
  private static final int MONTHS_OF_YEAR = 12;

  private final PeriodicRecurrence recurrence;
  private final Schedule schedule;
  private final LocalDateTime anchor;

  private CalendarFields(PeriodicRecurrence recurrence, LocalDateTime anchor) {
    this.recurrence = recurrence;
    this.schedule = recurrence.schedule();
    this.anchor = anchor;
  }

  /**
   * The fields of a recurrence that lies on a grid of local times.
   *
   * @param anchor from which it is counted, in local time
   * @throws InexpressibleException if no fields match the same times
   */
  static CronExpression of(PeriodicRecurrence recurrence, LocalDateTime anchor) {
    checkWhole(anchor);
    return new CalendarFields(recurrence, anchor).expression();
  }

  /**
   * The fields of an interval for a clock that never changes.
   *
   * @param first one of its times
   * @throws InexpressibleException if it does not come at the same times each day
   */
  static CronExpression of(Duration interval, LocalDateTime first) {
    checkWhole(first);
    long step = interval.toSeconds();
    if (SECONDS_OF_DAY % step != 0) {
      throw new InexpressibleException("it does not come at the same times each day");
    }
    int begin = (int) (first.toLocalTime().toSecondOfDay() % step);
    SortedSet<Integer> hours = new TreeSet<>();
    SortedSet<Integer> minutes = new TreeSet<>();
    SortedSet<Integer> seconds = new TreeSet<>();
    int number = 0;
    for (int second = begin; second < SECONDS_OF_DAY; second += (int) step) {
      hours.add(second / SECONDS_OF_HOUR);
      minutes.add(second / 60 % 60);
      seconds.add(second % 60);
      number++;
    }
    checkEach((long) hours.size() * minutes.size() * seconds.size() == number);
    return expression(seconds, minutes, hours, everyDay(), allMonths(), true);
  }

  private static void checkWhole(LocalDateTime time) {
    if (!time.equals(time.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InexpressibleException("its times have a fraction of a second");
    }
  }

  private static void checkEach(boolean isProduct) {
    if (!isProduct) {
      throw new InexpressibleException("its minutes are not the same in each hour");
    }
  }

  private CronExpression expression() {
    return switch (recurrence.frequency()) {
      case SECOND -> throw new IllegalArgumentException("an interval of seconds has no schedule");
      case MINUTE -> minutes();
      case HOUR -> hours();
      case DAY -> days(everyDay(), "days", 1);
      case WEEK -> days(weekDays(), "weeks", 1);
      case MONTH -> days(monthDays(), "months", MONTHS_OF_YEAR);
      case YEAR -> days(startDay(), "years", 1);
    };
  }

  /** The minutes of the interval, except those that hours and minutes filter out. */
  private CronExpression minutes() {
    int interval = recurrence.interval();
    checkRepeats(interval, MINUTES_OF_DAY, "minutes", "day");
    int base = anchor.getHour() * 60 + anchor.getMinute();
    IntPredicate inHours = in(schedule.hours());
    IntPredicate inMinutes = in(schedule.minutes());
    List<Integer> met =
        IntStream.range(0, MINUTES_OF_DAY)
            .filter(minute -> Math.floorMod(minute - base, interval) == 0)
            .filter(minute -> inHours.test(minute / 60) && inMinutes.test(minute % 60))
            .boxed()
            .toList();
    SortedSet<Integer> hours = sorted(met.stream().map(minute -> minute / 60).toList());
    SortedSet<Integer> minutes = sorted(met.stream().map(minute -> minute % 60).toList());
    checkEach(hours.size() * minutes.size() == met.size());
    return expression(second(), minutes, hours, everyDay(), allMonths(), isWildcard());
  }

  private CronExpression hours() {
    int interval = recurrence.interval();
    checkRepeats(interval, HOURS_OF_DAY, "hours", "day");
    IntPredicate inHours = in(schedule.hours());
    List<Integer> hours =
        IntStream.range(0, HOURS_OF_DAY)
            .filter(hour -> Math.floorMod(hour - anchor.getHour(), interval) == 0)
            .filter(inHours)
            .boxed()
            .toList();
    return expression(
        second(), minutesOfHour(), sorted(hours), everyDay(), allMonths(), isWildcard());
  }

  private CronExpression days(List<Integer> masks, String unit, int period) {
    int interval = recurrence.interval();
    checkRepeats(interval, period, unit, period == MONTHS_OF_YEAR ? "year" : "month");
    return expression(
        second(), minutesOfHour(), hoursOfDay(), masks, months(interval), isWildcard());
  }

  private static void checkRepeats(int interval, int period, String unit, String whole) {
    if (period % interval != 0) {
      throw new InexpressibleException(
          "it counts %d %s from its start, and a cron expression begins anew with each %s"
              .formatted(interval, unit, whole));
    }
  }

  private SortedSet<Integer> months(int interval) {
    IntPredicate inMonths = in(schedule.months());
    int base = anchor.getMonthValue();
    return switch (recurrence.frequency()) {
      case YEAR -> sorted(List.of(base));
      case MONTH ->
          allMonths().stream()
              .filter(month -> Math.floorMod(month - base, interval) == 0 && inMonths.test(month))
              .collect(toCollection(TreeSet::new));
      default -> allMonths().stream().filter(inMonths::test).collect(toCollection(TreeSet::new));
    };
  }

  private List<Integer> weekDays() {
    List<DayOfWeek> days =
        schedule.weekDays().isEmpty() ? List.of(anchor.getDayOfWeek()) : schedule.weekDays();
    return MonthShape.listOf(
        shape -> days.stream().mapToInt(shape::every).reduce(0, (one, other) -> one | other));
  }

  private List<Integer> monthDays() {
    boolean selects = !schedule.monthDays().isEmpty() || !schedule.monthlyOccurrences().isEmpty();
    return selects ? MonthShape.listOf(shape -> shape.selected(schedule)) : startDay();
  }

  private List<Integer> startDay() {
    return MonthShape.listOf(shape -> shape.clamped(anchor.getDayOfMonth()));
  }

  private static List<Integer> everyDay() {
    return MonthShape.listOf(MonthShape::all);
  }

  private SortedSet<Integer> second() {
    return sorted(List.of(anchor.getSecond()));
  }

  private SortedSet<Integer> minutesOfHour() {
    return sorted(schedule.minutes().isEmpty() ? List.of(anchor.getMinute()) : schedule.minutes());
  }

  private SortedSet<Integer> hoursOfDay() {
    if (!schedule.hours().isEmpty()) {
      return sorted(schedule.hours());
    }
    return sorted(
        schedule.minutes().isEmpty()
            ? List.of(anchor.getHour())
            : IntStream.range(0, HOURS_OF_DAY).boxed().toList());
  }

  private boolean isWildcard() {
    return DstPolicy.isEveryHour(recurrence);
  }

  private static SortedSet<Integer> sorted(List<Integer> numbers) {
    return new TreeSet<>(numbers);
  }

  private static SortedSet<Integer> allMonths() {
    return IntStream.rangeClosed(1, MONTHS_OF_YEAR).boxed().collect(toCollection(TreeSet::new));
  }

  private static IntPredicate in(List<Integer> field) {
    return value -> field.isEmpty() || field.contains(value);
  }

  private static CronExpression expression(
      SortedSet<Integer> seconds,
      SortedSet<Integer> minutes,
      SortedSet<Integer> hours,
      List<Integer> dayMasks,
      SortedSet<Integer> months,
      boolean isWildcard) {
    return new CronExpression(
        List.copyOf(seconds),
        List.copyOf(minutes),
        List.copyOf(hours),
        dayMasks,
        List.copyOf(months),
        List.of(),
        isWildcard);
  }
}
