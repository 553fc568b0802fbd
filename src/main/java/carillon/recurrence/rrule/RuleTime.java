package carillon.recurrence.rrule;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneRules;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Time in the notation of iCalendar.
 *
 * @param time the start of the day for a {@link Form#DATE}
 */
public record RuleTime(LocalDateTime time, Form form) {
  /** Kind of time. */
  public enum Form {
    /** A local time of the time zone: {@code 20270328T023000}. */
    LOCAL,
    /** An instant: {@code 20270328T013000Z}. */
    UTC,
    /** A day: {@code 20270328}. */
    DATE
  }

  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4})(\\d{2})(\\d{2})(?:T(\\d{2})(\\d{2})(\\d{2})(Z)?)?", Pattern.CASE_INSENSITIVE);

  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuuMMdd");
  private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss");

  public RuleTime {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(form, "form");
  }

  /**
   * Reads a date or a time (RFC 5545, 3.3.4 and 3.3.5).
   *
   * @param name of the property or part with this time
   * @throws IllegalArgumentException if it is invalid
   */
  public static RuleTime parse(String name, String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          name
              + ": '"
              + text
              + "' must be like 20270328, 20270328T023000 (local) or 20270328T013000Z (UTC)");
    }
    try {
      LocalDate day = LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3));
      if (matcher.group(4) == null) {
        return new RuleTime(day.atStartOfDay(), Form.DATE);
      }
      LocalTime time = LocalTime.of(number(matcher, 4), number(matcher, 5), number(matcher, 6));
      Form form = matcher.group(7) == null ? Form.LOCAL : Form.UTC;
      return new RuleTime(LocalDateTime.of(day, time), form);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(name + ": '" + text + "' is no date of the calendar", e);
    }
  }

  /** Returns the local time by the rules of a zone. */
  public LocalDateTime local(ZoneRules rules) {
    return form == Form.UTC
        ? time.plusSeconds(rules.getOffset(time.toInstant(ZoneOffset.UTC)).getTotalSeconds())
        : time;
  }

  /** The text, in the form that {@link #parse} reads. */
  public String text() {
    return switch (form) {
      case DATE -> DATE.format(time);
      case LOCAL -> LOCAL.format(time);
      case UTC -> LOCAL.format(time) + "Z";
    };
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
