package carillon.recurrence;

import static carillon.recurrence.Frequency.DAY;
import static carillon.recurrence.Frequency.HOUR;
import static carillon.recurrence.Frequency.MINUTE;
import static carillon.recurrence.Frequency.MONTH;
import static carillon.recurrence.Frequency.SECOND;
import static carillon.recurrence.Frequency.WEEK;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Recurrence by a frequency and an interval, with calendar fields that limit or expand it.
 *
 * @param interval 1..{@link Frequency#maxInterval()}
 * @param count how many occurrences are executed, {@link #NO_COUNT} for no such limit
 * @param endTime the last instant at which an occurrence may lie (inclusive), or {@link #NO_END}
 * @param schedule {@link Schedule#NONE} for a plain interval
 */
public record PeriodicRecurrence(
    Frequency frequency, int interval, int count, Instant endTime, Schedule schedule)
    implements Recurrence {

  // A time of day has no meaning below a minute. A year takes a time of day, but always the day and
  // month of its start: use 12 months to name others.
  private static final Set<Frequency> TIMES_OF_DAY = EnumSet.complementOf(EnumSet.of(SECOND));
  private static final Map<String, Set<Frequency>> FITTING =
      Map.of(
          "minutes", TIMES_OF_DAY,
          "hours", TIMES_OF_DAY,
          "weekDays", EnumSet.of(WEEK),
          "monthDays", EnumSet.of(MONTH),
          "monthlyOccurrences", EnumSet.of(MONTH),
          "months", EnumSet.of(DAY, WEEK, MONTH));
  private static final Set<Frequency> ELAPSED = EnumSet.of(SECOND, MINUTE, HOUR);

  public PeriodicRecurrence {
    Recurrence.check(count, endTime);
    checkInterval(interval, frequency.maxInterval());
    checkFits("minutes", "minutes", schedule.minutes(), frequency);
    checkFits("hours", "hours", schedule.hours(), frequency);
    checkFits("weekDays", "days of week", schedule.weekDays(), frequency);
    checkFits("monthDays", "days of month", schedule.monthDays(), frequency);
    checkFits(
        "monthlyOccurrences", "monthly occurrences", schedule.monthlyOccurrences(), frequency);
    checkFits("months", "months", schedule.months(), frequency);
  }

  /** The frequencies that allow a field of a schedule. */
  public static Set<Frequency> frequenciesWith(String field) {
    return EnumSet.copyOf(FITTING.get(field));
  }

  /** Returns the time one interval later, on the last day of a shorter month. */
  public LocalDateTime oneIntervalAfter(LocalDateTime start) {
    return start.plus(interval, frequency.unit());
  }

  /** An interval of hours or less, without a schedule, is elapsed time. */
  @Override
  public boolean isElapsed() {
    return schedule.isEmpty() && ELAPSED.contains(frequency);
  }

  @Override
  public PeriodicRecurrence withoutEnd() {
    return new PeriodicRecurrence(frequency, interval, count, NO_END, schedule);
  }

  private static void checkInterval(int interval, int max) {
    if (interval < 1 || interval > max) {
      throw new IllegalArgumentException(
          "recurrence.interval: " + interval + " is not in 1.." + max);
    }
  }

  /** The wording is the service's, recorded for days of month with a week. */
  private static void checkFits(String field, String what, List<?> values, Frequency frequency) {
    if (!values.isEmpty() && !FITTING.get(field).contains(frequency)) {
      throw new IllegalArgumentException(
          "Cannot set " + what + " with recurrence unit '" + frequency.label() + "'.");
    }
  }
}
