package carillon.dispatch;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a target asks for by {@code Retry-After}: seconds, or a date (RFC 9110, 10.2.3). */
final class RetryAfter {
  private static final Set<Integer> STATUSES = Set.of(429, 503);
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

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
    return SECONDS.matcher(value).matches()
        ? Optional.of(now.plusSeconds(Long.parseLong(value)))
        : date(value);
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
