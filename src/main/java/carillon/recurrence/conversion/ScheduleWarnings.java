package carillon.recurrence.conversion;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.Frequency;
import carillon.recurrence.MovedTime;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.Schedule;
import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.CronReading;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.cron.DayCover;
import carillon.recurrence.cron.InexpressibleException;
import carillon.recurrence.timetable.Timetable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Warnings about a schedule with effects that people seldom expect. */
public final class ScheduleWarnings {
  private static final int FEBRUARY = 2;
  private static final int SECONDS_OF_MINUTE = 60;

  /**
   * Minimum number of values to recognize a row of steps; fewer suffice if it is written as one.
   */
  private static final int MIN_STEPS = 3;

  /** Time to search for changes of the clocks: a year and a day. */
  private static final Duration LOOK_AHEAD = Duration.ofDays(366);

  /** Longest time between a clock change and an occurrence that it moves. */
  private static final Duration LOOK_BACK = Duration.ofDays(1);

  private static final int MAX_MOVED = 10_000;

  private final Recurrence recurrence;
  private final Optional<Instant> startTime;
  private final Timetable timetable;
  private final List<Warning> found = new ArrayList<>();

  private ScheduleWarnings(
      Recurrence recurrence, Optional<Instant> startTime, Timetable timetable) {
    this.recurrence = recurrence;
    this.startTime = startTime;
    this.timetable = timetable;
  }

  /**
   * A warning.
   *
   * @param code for programs
   * @param message for people
   */
  public record Warning(String code, String message) {}

  /**
   * The warnings about a recurrence.
   *
   * @param first its first occurrence
   * @param anchor from which it is counted, in local time
   * @param reading of a cron expression
   */
  public static List<Warning> of(
      Recurrence recurrence,
      Optional<Instant> startTime,
      Timetable timetable,
      Instant first,
      LocalDateTime anchor,
      Optional<CronReading> reading) {
    ScheduleWarnings warnings = new ScheduleWarnings(recurrence, startTime, timetable);
    warnings.lookAtStart();
    reading.flatMap(CronReading::bothDays).ifPresent(warnings::lookAtBothDays);
    warnings.expression(anchor).ifPresent(warnings::lookAt);
    warnings.lookAtClocks(first);
    return List.copyOf(warnings.found);
  }

  private void warn(String code, String message) {
    found.add(new Warning(code, message));
  }

  private void lookAtStart() {
    if (startTime.isEmpty() && recurrence instanceof PeriodicRecurrence periodic) {
      warn("runsAtOnce", "without startTime it also runs at once, when it is submitted");
      lookAtMinutes(periodic.schedule());
    }
    startTime.ifPresent(
        start ->
            timetable
                .first(start)
                .filter(next -> !next.equals(start))
                .ifPresent(
                    next ->
                        warn(
                            "startOutsideRule",
                            "startTime is no occurrence itself; the first one is " + next)));
  }

  private void lookAtMinutes(Schedule schedule) {
    if (!schedule.hours().isEmpty() && schedule.minutes().isEmpty()) {
      warn("minuteOfStart", "hours without minutes have the minute at which it is submitted");
    }
  }

  private void lookAtBothDays(CronExpression.BothDays both) {
    warn(
        "bothDayFields",
        switch (both) {
          case EITHER ->
              "a day matches when one of the two fields of days does, as neither begins with *";
          case BOTH -> "a day matches when both fields of days do, as one of them begins with *";
        });
  }

  /** Returns the matching fields, if fields can express the recurrence. */
  private Optional<CronExpression> expression(LocalDateTime anchor) {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      if (periodic.frequency() == Frequency.SECOND && periodic.interval() == 1) {
        warnOfEverySecond();
      }
      return fields(periodic, anchor);
    }
    return recurrence instanceof CronRecurrence cron
            && cron.rule() instanceof CronRule.Matching matching
        ? Optional.of(matching.expression())
        : Optional.empty();
  }

  private static Optional<CronExpression> fields(
      PeriodicRecurrence recurrence, LocalDateTime anchor) {
    try {
      return recurrence.schedule().isEmpty()
          ? Optional.empty()
          : Optional.of(CalendarFields.of(recurrence, anchor.withNano(0)));
    } catch (InexpressibleException e) {
      return Optional.empty();
    }
  }

  private void warnOfEverySecond() {
    warn("everySecond", "it runs every second");
  }

  private void lookAt(CronExpression expression) {
    lookAtMonths(expression);
    if (expression.seconds().size() == SECONDS_OF_MINUTE) {
      warnOfEverySecond();
    }
    if (recurrence instanceof CronRecurrence cron) {
      lookAtSteps(cron, expression.seconds(), SECONDS_OF_MINUTE, "second", "minute");
      lookAtSteps(cron, expression.minutes(), 60, "minute", "hour");
      lookAtSteps(cron, expression.hours(), 24, "hour", "day");
    }
  }

  /** Warns of months in which no day matches, if other months have some. */
  private void lookAtMonths(CronExpression expression) {
    List<Integer> months = expression.months();
    boolean hasEmpty =
        IntStream.range(0, expression.dayMasks().size())
            .filter(shape -> DayCover.isShapeOf(shape, months))
            .anyMatch(shape -> expression.dayMasks().get(shape) == 0);
    if (hasEmpty && months.equals(List.of(FEBRUARY))) {
      warn("leapDay", "not every February has such a day: years pass without an occurrence");
    } else if (hasEmpty) {
      warn("shortMonths", "not every month has such a day: months pass without an occurrence");
    }
  }

  /** Warns of steps that do not divide the whole: the last one is shorter. */
  private void lookAtSteps(
      CronRecurrence cron, List<Integer> values, int size, String unit, String whole) {
    if (values.size() < 2) {
      return;
    }
    int step = values.get(1) - values.get(0);
    if (values.size() < MIN_STEPS && !cron.text().contains("/" + step)) {
      return;
    }
    for (int i = 2; i < values.size(); i++) {
      if (values.get(i) - values.get(i - 1) != step) {
        return;
      }
    }
    int last = size - values.get(values.size() - 1) + values.get(0);
    boolean isWhole = step > 1 && values.get(0) < step && last < step;
    if (isWhole) {
      warn(
          "unevenStep",
          "steps of %d %ss begin anew with each %s: the last one is %d"
              .formatted(step, unit, whole, last));
    }
  }

  private void lookAtClocks(Instant first) {
    List<MovedTime> moved =
        timetable.moved(first.minus(LOOK_BACK), first.plus(LOOK_AHEAD), MAX_MOVED).stream()
            .filter(time -> isFrom(first, time))
            .toList();
    moved.stream()
        .filter(MovedTime::isMissing)
        .findFirst()
        .ifPresent(time -> warn("dstGap", time.local() + " " + time.why()));
    moved.stream()
        .filter(time -> !time.isMissing())
        .findFirst()
        .ifPresent(time -> warn("dstFold", time.local() + " " + time.why()));
  }

  /** Whether the moved time affects the first occurrence or a later one. */
  private static boolean isFrom(Instant first, MovedTime time) {
    List<Instant> occurrences = time.occurrences();
    return occurrences.isEmpty()
        ? !time.transition().getInstant().isBefore(first)
        : occurrences.stream().anyMatch(at -> !at.isBefore(first));
  }
}
