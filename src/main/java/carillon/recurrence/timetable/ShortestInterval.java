package carillon.recurrence.timetable;

import carillon.recurrence.CronRecurrence;
import carillon.recurrence.Frequency;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.cron.CronRule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.IntStream;

/** Shortest interval between two occurrences of a recurrence. */
public final class ShortestInterval {
  /** Number of minutes in a day plus one: these occurrences include every distance within a day. */
  private static final int MAX_OCCURRENCES = 24 * 60 + 1;

  /** Start of a common year followed by another common year, in which months are shortest. */
  private static final LocalDate SHORT_YEAR = LocalDate.of(2025, 1, 1);

  private ShortestInterval() {}

  /** Returns the shortest possible time of this interval: 28 days for a month. */
  public static Duration shortest(Frequency frequency, int interval) {
    return switch (frequency) {
      case MONTH ->
          Duration.ofDays(
              IntStream.range(0, 12)
                  .mapToLong(month -> months(SHORT_YEAR.plusMonths(month), interval))
                  .min()
                  .orElseThrow());
      case YEAR -> Duration.ofDays(months(SHORT_YEAR, 12 * interval));
      default -> frequency.unit().getDuration().multipliedBy(interval);
    };
  }

  private static long months(LocalDate from, int months) {
    return ChronoUnit.DAYS.between(from, from.plusMonths(months));
  }

  /** Returns the shortest time of a recurrence that is a plain interval. */
  public static Optional<Duration> interval(Recurrence recurrence) {
    if (recurrence instanceof PeriodicRecurrence periodic) {
      return Optional.of(periodic)
          .filter(one -> one.schedule().isEmpty())
          .map(one -> shortest(one.frequency(), one.interval()));
    }
    return recurrence instanceof CronRecurrence cron && cron.rule() instanceof CronRule.Every every
        ? Optional.of(every.interval())
        : Optional.empty();
  }

  /**
   * Returns the first distance between two successive occurrences that is shorter than {@code
   * least}. For a schedule, it checks as many occurrences as a day can have, but no more than its
   * count.
   *
   * @param start of the recurrence
   */
  public static Optional<Duration> closerThan(
      Duration least, Recurrence recurrence, Instant start) {
    Optional<Duration> interval = interval(recurrence);
    if (interval.isPresent()) {
      return interval.filter(distance -> recurrence.count() != 1 && distance.compareTo(least) < 0);
    }
    Timetable timetable = Timetable.of(recurrence, start, start);
    Optional<Instant> current = timetable.first(start);
    int last = recurrence.count() == Recurrence.NO_COUNT ? MAX_OCCURRENCES : recurrence.count();
    for (int i = 1; i < Math.min(last, MAX_OCCURRENCES) && current.isPresent(); i++) {
      Optional<Instant> next = timetable.after(current.get());
      if (next.isPresent()) {
        Duration distance = Duration.between(current.get(), next.get());
        if (distance.compareTo(least) < 0) {
          return Optional.of(distance);
        }
      }
      current = next;
    }
    return Optional.empty();
  }
}
