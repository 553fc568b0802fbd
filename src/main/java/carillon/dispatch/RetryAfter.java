package carillon.dispatch;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Value of the header {@code Retry-After} of a target: seconds, or a date (RFC 9110, 10.2.3). */
final class RetryAfter {
  private static final Set<Integer> STATUSES = Set.of(429, 503);
  private static final Pattern SECONDS = Pattern.compile("0*(\\d+)");

  /** More than 30 years: longer than any bound that an operator may set. */
  private static final int MAX_DIGITS = 9;

  private static final long MAX_SECONDS = 999_999_999;

  private RetryAfter() {}

  /**
   * The instant before which the target does not want to be called again; empty where it says
   * nothing that can be understood.
   *
   * @param value of the header, or null
   */
  static Optional<Instant> of(int status, String value, Instant now) {
    if (value == null || !STATUSES.contains(status)) {
      return Optional.empty();
    }
    Matcher seconds = SECONDS.matcher(value);
    return seconds.matches()
        ? Optional.of(now.plusSeconds(seconds(seconds.group(1))))
        : date(value);
  }

  /** Any number of digits; what is longer than {@link #MAX_SECONDS} is cut to it. */
  private static long seconds(String digits) {
    return digits.length() > MAX_DIGITS ? MAX_SECONDS : Long.parseLong(digits);
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
