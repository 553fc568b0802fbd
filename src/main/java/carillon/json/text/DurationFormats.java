package carillon.json.text;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Codec of durations in short form ({@code 30s}, {@code 1h30m}), and in the two forms that clients
 * of the retired service sent: ISO 8601 ({@code PT1M30S}) and .NET's TimeSpan ({@code 30.00:00:00}
 * is thirty days). As in .NET a year is 365 days and a month 30.
 */
public final class DurationFormats {
  /** Rule of {@link #parse}, to complete a sentence. */
  public static final String RULE = "must be a duration such as 30s, PT30S or 00:00:30";

  private static final String NUMBER = "(\\d{1,9})";
  private static final String SECONDS = "(\\d{1,9}(?:\\.\\d{1,9})?)";
  private static final Pattern ISO =
      Pattern.compile(
          String.format(
              Locale.ROOT,
              "P(?=.)(?:%1$sY)?(?:%1$sM)?(?:%1$sW)?(?:%1$sD)?(?:T(?=.)(?:%1$sH)?(?:%1$sM)?(?:%2$sS)?)?",
              NUMBER,
              SECONDS));
  private static final Pattern SHORT =
      Pattern.compile(
          String.format(
              Locale.ROOT,
              "(?=.)(?:%1$sd)?(?:%1$sh)?(?:%1$sm)?(?:%2$ss)?(?:%1$sms)?",
              NUMBER,
              SECONDS));
  private static final Pattern TIME_SPAN =
      Pattern.compile(
          "(?:(\\d{1,8})\\.)?([01]?\\d|2[0-3]):([0-5]?\\d):([0-5]?\\d(?:\\.\\d{1,9})?)");

  /** Days of a year, a month and a week. */
  private static final long[] ISO_DAYS = {365, 30, 7};

  private static final int NANOS_PER_TICK = 100;

  private DurationFormats() {}

  /** Returns the duration of a text, never negative; empty if the text is invalid. */
  public static Optional<Duration> parse(String text) {
    if (text.startsWith("P")) {
      return read(text, ISO, DurationFormats::isoSum);
    }
    return text.indexOf(':') < 0
        ? read(text, SHORT, parts -> fromDays(parts, 1).plusMillis(number(parts.group(5))))
        : read(text, TIME_SPAN, parts -> fromDays(parts, 1));
  }

  private static Optional<Duration> read(
      String text, Pattern form, Function<Matcher, Duration> sum) {
    Matcher parts = form.matcher(text);
    return parts.matches() ? Optional.of(sum.apply(parts)) : Optional.empty();
  }

  private static Duration isoSum(Matcher parts) {
    Duration sum = fromDays(parts, ISO_DAYS.length + 1);
    for (int i = 0; i < ISO_DAYS.length; i++) {
      sum = sum.plusDays(ISO_DAYS[i] * number(parts.group(i + 1)));
    }
    return sum;
  }

  /** Sums days, hours, minutes and seconds. This group holds the days, and the others follow. */
  private static Duration fromDays(Matcher parts, int days) {
    return Duration.ofDays(number(parts.group(days)))
        .plusHours(number(parts.group(days + 1)))
        .plusMinutes(number(parts.group(days + 2)))
        .plus(seconds(parts.group(days + 3)));
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static Duration seconds(String decimal) {
    return decimal == null ? Duration.ZERO : Duration.parse("PT" + decimal + "S");
  }

  /** {@code [d.]hh:mm:ss[.fffffff]}. */
  public static String timeSpan(Duration span) {
    StringBuilder out = new StringBuilder(16);
    if (span.toDays() > 0) {
      out.append(span.toDays()).append('.');
    }
    padded(out, span.toHoursPart(), 2);
    padded(out.append(':'), span.toMinutesPart(), 2);
    padded(out.append(':'), span.toSecondsPart(), 2);
    int ticks = span.toNanosPart() / NANOS_PER_TICK;
    if (ticks > 0) {
      padded(out.append('.'), ticks, 7);
    }
    return out.toString();
  }

  /** Appends the value with leading zeros. */
  private static void padded(StringBuilder out, int value, int width) {
    int power = 1;
    for (int digit = 1; digit < width; digit++) {
      power *= 10;
    }
    for (; power > value && power > 1; power /= 10) {
      out.append('0');
    }
    out.append(value);
  }
}
