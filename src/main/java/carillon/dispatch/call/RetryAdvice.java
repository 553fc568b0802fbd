package carillon.dispatch.call;

import io.vertx.core.MultiMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Advice of an answer about a retry of the call.
 *
 * @param status of the answer; empty without an answer
 * @param isRefused whether the target refuses a retry: {@code Carillon-Retry: no}
 * @param notBefore the target asks not to be called again before this instant
 */
public record RetryAdvice(OptionalInt status, boolean isRefused, Optional<Instant> notBefore) {
  public static final String HEADER = "Carillon-Retry";

  private static final Set<Integer> RETRY_AFTER_STATUSES = Set.of(429, 503);
  private static final Pattern SECONDS = Pattern.compile("0*(\\d+)");

  /** The three forms of a date (RFC 9110, 5.6.7). */
  private static final List<DateTimeFormatter> DATES =
      List.of(
          DateTimeFormatter.RFC_1123_DATE_TIME,
          new DateTimeFormatterBuilder()
              .appendPattern("EEEE, dd-MMM-")
              .appendValueReduced(ChronoField.YEAR, 2, 2, 2000)
              .appendPattern(" HH:mm:ss 'GMT'")
              .toFormatter(Locale.ENGLISH)
              .withZone(ZoneOffset.UTC),
          DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
              .withZone(ZoneOffset.UTC));

  /**
   * Maximum number of digits: more than 30 years, longer than any bound that an operator may set.
   */
  private static final int MAX_DIGITS = 9;

  private static final long MAX_SECONDS = 999_999_999;

  /** Advice of a target that did not answer, or not by HTTP. */
  public static final RetryAdvice NONE =
      new RetryAdvice(OptionalInt.empty(), false, Optional.empty());

  /** Returns the advice in a status and its headers. */
  public static RetryAdvice of(int status, MultiMap headers, Instant now) {
    String wish = headers.get(HEADER);
    return new RetryAdvice(
        OptionalInt.of(status),
        wish != null && wish.trim().equalsIgnoreCase("no"),
        retryAfter(status, headers.get("Retry-After"), now));
  }

  /**
   * Returns the instant in the header {@code Retry-After} of a target, in seconds or as a date (RFC
   * 9110, 10.2.3). Empty if the value cannot be understood.
   *
   * @param value of the header, or null
   */
  static Optional<Instant> retryAfter(int status, String value, Instant now) {
    if (value == null || !RETRY_AFTER_STATUSES.contains(status)) {
      return Optional.empty();
    }
    Matcher seconds = SECONDS.matcher(value);
    return seconds.matches()
        ? Optional.of(now.plusSeconds(seconds(seconds.group(1))))
        : date(value);
  }

  /** Reads any number of digits; larger values are reduced to {@link #MAX_SECONDS}. */
  private static long seconds(String digits) {
    return digits.length() > MAX_DIGITS ? MAX_SECONDS : Long.parseLong(digits);
  }

  private static Optional<Instant> date(String value) {
    return DATES.stream().flatMap(form -> date(form, value).stream()).findFirst();
  }

  private static Optional<Instant> date(DateTimeFormatter form, String value) {
    try {
      return Optional.of(form.parse(value, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
