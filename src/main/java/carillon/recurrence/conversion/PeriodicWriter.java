package carillon.recurrence.conversion;

import carillon.recurrence.DstPolicy;
import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.Schedule.MonthlyOccurrence;
import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.DayCover;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.grid.MonthShape;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writer of recurrences with a frequency that run at the same times as a cron expression. */
final class PeriodicWriter {
  private static final int SECONDS_OF_DAY = 86_400;
  private static final int SECONDS_OF_HOUR = 3600;
  private static final int HOURS_OF_DAY = 24;
  private static final int MONTHS_OF_YEAR = 12;
  private static final int LONGEST_MONTH = 31;
  private static final int WEEKS_OF_MONTH = 5;

  private static final Map<Object, List<Integer>> WEEK_DAYS = weekDays();
  private static final Map<Object, List<Integer>> MONTH_DAYS = monthDays();

  private PeriodicWriter() {}

  private static Map<Object, List<Integer>> weekDays() {
    Map<Object, List<Integer>> parts = new LinkedHashMap<>();
    for (DayOfWeek day : DayOfWeek.values()) {
      add(parts, new MonthlyOccurrence(day, MonthlyOccurrence.EVERY));
    }
    return parts;
  }

  private static Map<Object, List<Integer>> monthDays() {
    Map<Object, List<Integer>> parts = weekDays();
    for (int day = 1; day <= LONGEST_MONTH; day++) {
      add(parts, day);
    }
    for (int day = 1; day <= LONGEST_MONTH; day++) {
      add(parts, -day);
    }
    for (DayOfWeek day : DayOfWeek.values()) {
      for (int place = 1; place <= WEEKS_OF_MONTH; place++) {
        add(parts, new MonthlyOccurrence(day, place));
        add(parts, new MonthlyOccurrence(day, -place));
      }
    }
    return parts;
  }

  private static void add(Map<Object, List<Integer>> parts, Object part) {
    Schedule alone = schedule(List.of(), List.of(), List.of(part), List.of());
    parts.put(part, MonthShape.listOf(shape -> shape.selected(alone)));
  }

  private static Schedule schedule(
      List<Integer> minutes, List<Integer> hours, List<Object> days, List<Integer> months) {
    return new Schedule(
        minutes,
        hours,
        List.of(),
        only(Integer.class, days),
        only(MonthlyOccurrence.class, days),
        months);
  }

  private static <T> List<T> only(Class<T> type, List<Object> parts) {
    return parts.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /**
   * The recurrence of an interval, counted from a start.
   *
   * @param isFixed whether the clock never changes, so that a day is 24 hours
   * @throws InexpressibleException if it is too long
   */
  static PeriodicRecurrence write(Duration interval, boolean isFixed, Recurrence bounds) {
    long seconds = interval.toSeconds();
    for (Frequency unit : List.of(Frequency.HOUR, Frequency.MINUTE, Frequency.SECOND)) {
      long length = lengthOf(unit);
      if (seconds % length == 0 && seconds / length <= unit.maxInterval()) {
        return plain(unit, (int) (seconds / length), bounds);
      }
    }
    long days = seconds / SECONDS_OF_DAY;
    if (isFixed && seconds % SECONDS_OF_DAY == 0 && days <= Frequency.DAY.maxInterval()) {
      return plain(Frequency.DAY, (int) days, bounds);
    }
    throw new InexpressibleException("it is longer than an interval can be");
  }

  private static long lengthOf(Frequency unit) {
    return switch (unit) {
      case HOUR -> SECONDS_OF_HOUR;
      case MINUTE -> 60;
      default -> 1;
    };
  }

  private static PeriodicRecurrence plain(Frequency frequency, int interval, Recurrence bounds) {
    return new PeriodicRecurrence(
        frequency, interval, bounds.count(), bounds.endTime(), Schedule.NONE);
  }

  /**
   * Returns the constant interval between the times of an expression, for a clock that never
   * changes. Empty if the interval varies, or the times come no more than once a day.
   */
  static Optional<Duration> interval(CronExpression expression) {
    int times =
        expression.hours().size() * expression.minutes().size() * expression.seconds().size();
    boolean isEveryDay =
        expression.isEveryDay()
            && expression.months().size() == MONTHS_OF_YEAR
            && expression.years().isEmpty();
    if (!isEveryDay || times == 1 || SECONDS_OF_DAY % times != 0) {
      return Optional.empty();
    }
    int step = SECONDS_OF_DAY / times;
    int expected = -1;
    for (int hour : expression.hours()) {
      for (int minute : expression.minutes()) {
        for (int second : expression.seconds()) {
          int time = hour * SECONDS_OF_HOUR + minute * 60 + second;
          if (expected >= 0 && time != expected) {
            return Optional.empty();
          }
          expected = time + step;
        }
      }
    }
    return Optional.of(Duration.ofSeconds(step));
  }

  /**
   * Returns the recurrence that runs at the same times as the expression, from a start with its
   * second on.
   *
   * @param countsWildcard whether the automatic behaviour of {@code dst} must be the same
   * @param bounds whose count and end it takes
   * @throws InexpressibleException if there is none
   */
  static PeriodicRecurrence write(
      CronExpression expression, boolean countsWildcard, Recurrence bounds) {
    if (!expression.years().isEmpty()) {
      throw new InexpressibleException("a frequency cannot name years");
    }
    if (expression.seconds().size() > 1) {
      throw new InexpressibleException(
          "a schedule has one second of the minute, that of its start");
    }
    PeriodicRecurrence recurrence = calendar(expression, bounds);
    if (countsWildcard && DstPolicy.isEveryHour(recurrence) != expression.isWildcard()) {
      throw new InexpressibleException(
          "when clocks are changed dst auto would mean something else: set dst.gap and dst.fold");
    }
    return recurrence;
  }

  private static PeriodicRecurrence calendar(CronExpression expression, Recurrence bounds) {
    List<Integer> hours =
        expression.hours().size() == HOURS_OF_DAY ? List.of() : expression.hours();
    List<Integer> months =
        expression.months().size() == MONTHS_OF_YEAR ? List.of() : expression.months();
    List<Integer> minutes = expression.minutes();
    if (expression.isEveryDay()) {
      return recurrence(Frequency.DAY, schedule(minutes, hours, List.of(), months), bounds);
    }
    Optional<List<Object>> weekDays = cover(expression, WEEK_DAYS);
    if (weekDays.isPresent()) {
      List<DayOfWeek> days = new ArrayList<>();
      only(MonthlyOccurrence.class, weekDays.get()).forEach(part -> days.add(part.day()));
      return recurrence(
          Frequency.WEEK, new Schedule(minutes, hours, days, List.of(), List.of(), months), bounds);
    }
    List<Object> days =
        cover(expression, MONTH_DAYS)
            .orElseThrow(
                () ->
                    new InexpressibleException(
                        "monthDays and monthlyOccurrences cannot name its days"));
    return recurrence(Frequency.MONTH, schedule(minutes, hours, days, months), bounds);
  }

  private static Optional<List<Object>> cover(
      CronExpression expression, Map<Object, List<Integer>> parts) {
    return DayCover.of(expression.dayMasks(), expression.months(), parts);
  }

  private static PeriodicRecurrence recurrence(
      Frequency frequency, Schedule schedule, Recurrence bounds) {
    return new PeriodicRecurrence(frequency, 1, bounds.count(), bounds.endTime(), schedule);
  }
}
