package carillon.recurrence.rrule;

import java.time.LocalDateTime;
import java.util.Objects;

/**
 * Time as iCalendar writes it.
 *
 * @param time the start of the day for a {@link Form#DATE}
 */
public record RuleTime(LocalDateTime time, Form form) {
  /** What a time stands for. */
  public enum Form {
    /** A local time of the time zone: {@code 20270328T023000}. */
    LOCAL,
    /** An instant: {@code 20270328T013000Z}. */
    UTC,
    /** A day: {@code 20270328}. */
    DATE
  }

  public RuleTime {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(form, "form");
  }
}
