package carillon.recurrence.calendar;

import carillon.recurrence.Recurrence;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Span of a calendar: time that it covers, once or again and again. */
public sealed interface CalendarSpan {
  /** Its name, where it has one. */
  Optional<String> name();

  /** A day, from midnight to midnight. */
  record Day(LocalDate date, Optional<String> name) implements CalendarSpan {
    public Day {
      Objects.requireNonNull(date, "date");
    }
  }

  /** Days of each week, from midnight to midnight. */
  record WeekDays(Set<DayOfWeek> days, Optional<String> name) implements CalendarSpan {
    public WeekDays {
      days = Set.copyOf(days);
    }
  }

  /**
   * Time from one bound to another.
   *
   * @param from inclusive
   * @param to exclusive
   */
  record Period(Bound from, Bound to, Optional<String> name) implements CalendarSpan {}

  /**
   * Bound of a period.
   *
   * @param time by a clock
   * @param offset of that clock from UTC; absent where it is the one of the calendar's time zone
   */
  record Bound(LocalDateTime time, Optional<ZoneOffset> offset) {}

  /**
   * Spans that begin at the occurrences of a recurrence.
   *
   * @param start from which it is counted, by the clock of its time zone; absent for the first
   *     midnight of 1970
   * @param zone its own; absent where it is the calendar's
   * @param lasts how long each span is
   */
  record Repeated(
      Recurrence recurrence,
      Optional<LocalDateTime> start,
      Optional<ZoneId> zone,
      SpanLength lasts,
      Optional<String> name)
      implements CalendarSpan {}
}
