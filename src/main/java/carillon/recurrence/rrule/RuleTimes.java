package carillon.recurrence.rrule;

import carillon.recurrence.rrule.RuleTime.Form;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of dates and times as iCalendar writes them (RFC 5545, 3.3.4 and 3.3.5). */
public final class RuleTimes {
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4})(\\d{2})(\\d{2})(?:T(\\d{2})(\\d{2})(\\d{2})(Z)?)?", Pattern.CASE_INSENSITIVE);

  private RuleTimes() {}

  /**
   * Reads one.
   *
   * @param name of what has it
   * @throws IllegalArgumentException if it is none
   */
  public static RuleTime read(String name, String text) {
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

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
