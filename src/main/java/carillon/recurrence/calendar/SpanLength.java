package carillon.recurrence.calendar;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Length of a span: days by the clock, which are longer or shorter where clocks are changed, and an
 * exact time behind them.
 *
 * @param days never negative
 * @param time of whole seconds, never negative
 */
public record SpanLength(int days, Duration time) {
  private static final Pattern ISO =
      Pattern.compile(
          "P(?=.)(?:(\\d{1,4})W)?(?:(\\d{1,4})D)?"
              + "(?:T(?=.)(?:(\\d{1,6})H)?(?:(\\d{1,8})M)?(?:(\\d{1,8})S)?)?");
  static final int MAX_DAYS = 366;

  /**
   * Reads a length: {@code P1D}, {@code PT4H}, {@code P1W}.
   *
   * @throws IllegalArgumentException if it is none, is zero, or is longer than 366 days
   */
  public static SpanLength parse(String text) {
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
    if (all.isZero() || all.compareTo(Duration.ofDays(MAX_DAYS)) > 0) {
      throw new IllegalArgumentException("'" + text + "' must be from PT1S to P" + MAX_DAYS + "D");
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
