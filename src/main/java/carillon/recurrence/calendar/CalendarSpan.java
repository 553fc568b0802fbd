package carillon.recurrence.calendar;

import carillon.recurrence.Recurrence;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Span of a calendar: covered time, once or repeatedly. */
public sealed interface CalendarSpan {
  /** The name, if the span has one. */
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
   * @param offset of that clock from UTC; absent for the offset of the calendar's time zone
   */
  record Bound(LocalDateTime time, Optional<ZoneOffset> offset) {}

  /**
   * Spans that begin at the occurrences of a recurrence.
   *
   * @param start from which the recurrence counts, by the clock of its time zone; absent for the
   *     first midnight of 1970
   * @param zone of this span; absent for that of the calendar
   * @param lasts length of each span
   */
  record Repeated(
      Recurrence recurrence,
      Optional<LocalDateTime> start,
      Optional<ZoneId> zone,
      SpanLength lasts,
      Optional<String> name)
      implements CalendarSpan {}

  /**
   * Length of a span: days by the clock, followed by an exact time. A day is longer or shorter when
   * clocks change.
   *
   * @param days never negative
   * @param time of whole seconds, never negative
   */
  record SpanLength(int days, Duration time) {
    private static final Pattern ISO =
        Pattern.compile(
            "P(?=.)(?:(\\d{1,4})W)?(?:(\\d{1,5})D)?"
                + "(?:T(?=.)(?:(\\d{1,6})H)?(?:(\\d{1,8})M)?(?:(\\d{1,8})S)?)?");
    static final int MAX_DAYS = 366;

    /**
     * Reads a length: {@code P1D}, {@code PT4H}, {@code P1W}.
     *
     * @throws IllegalArgumentException if it is invalid, is zero, or is longer than 366 days
     */
    public static SpanLength parse(String text) {
      return parse(text, MAX_DAYS);
    }

    /**
     * Reads a length.
     *
     * @throws IllegalArgumentException if it is invalid, is zero, or is longer than {@code maxDays}
     */
    static SpanLength parse(String text, int maxDays) {
      Matcher parts = ISO.matcher(text);
      if (!parts.matches()) {
        throw new IllegalArgumentException("'" + text + "' must be like PT4H, P1D or P1W");
      }
      Duration time =
          Duration.ofHours(number(parts, 3))
              .plusMinutes(number(parts, 4))
              .plusSeconds(number(parts, 5));
      long days = 7 * number(parts, 1) + number(parts, 2);
      Duration all = Duration.ofDays(days).plus(time);
      if (all.isZero() || all.compareTo(Duration.ofDays(maxDays)) > 0) {
        throw new IllegalArgumentException("'" + text + "' must be from PT1S to P" + maxDays + "D");
      }
      return new SpanLength((int) days, time);
    }

    private static long number(Matcher matcher, int group) {
      String digits = matcher.group(group);
      return digits == null ? 0 : Long.parseLong(digits);
    }

    /** The length as {@link #parse} reads it. */
    public String text() {
      String exact = time.isZero() ? "" : time.toString().substring(1);
      return "P" + (days > 0 ? days + "D" : "") + exact;
    }
  }
}
