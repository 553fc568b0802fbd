package carillon.recurrence.calendar;

import carillon.recurrence.Coverage.Cause;
import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;

/** Days of each week. */
final class WeekDaySpans implements SpanCover {
  private static final int WEEK = 7;

  private final Set<DayOfWeek> days;
  private final SpanClock clock;
  private final Optional<Cause> cause;

  WeekDaySpans(Set<DayOfWeek> days, SpanClock clock, Cause cause) {
    this.days = days;
    this.clock = clock;
    this.cause = Optional.of(cause);
  }

  @Override
  public Stretch at(long second, Lookups lookups) {
    LocalDate day = clock.dayAt(second);
    boolean isCovered = days.contains(day.getDayOfWeek());
    LocalDate first = day;
    LocalDate end = day.plusDays(1);
    for (int i = 1; i < WEEK && days.contains(end.getDayOfWeek()) == isCovered; i++) {
      end = end.plusDays(1);
    }
    for (int i = 1;
        i < WEEK && days.contains(first.minusDays(1).getDayOfWeek()) == isCovered;
        i++) {
      first = first.minusDays(1);
    }
    return days.size() == WEEK
        ? new Stretch(Long.MIN_VALUE, Long.MAX_VALUE, cause)
        : new Stretch(clock.begin(first), clock.begin(end), isCovered ? cause : Optional.empty());
  }
}
