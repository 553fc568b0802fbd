package carillon.recurrence.cron;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Notations of intervals that may replace a cron expression. */
final class Intervals {
  private static final Pattern RATE = Pattern.compile("(\\d{1,9})\\s+(minute|hour|day)s?");
  private static final Pattern EVERY =
      Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?");

  private Intervals() {}

  /** {@code 5 minutes}, as in {@code rate(5 minutes)}. */
  static CronRule.Every rate(String text) {
    Matcher rate = RATE.matcher(text);
    if (!rate.matches()) {
      throw new IllegalArgumentException("rate(" + text + "): must be like rate(5 minutes)");
    }
    long number = Long.parseLong(rate.group(1));
    return positive(
        switch (rate.group(2)) {
          case "minute" -> Duration.ofMinutes(number);
          case "hour" -> Duration.ofHours(number);
          default -> Duration.ofDays(number);
        },
        "rate(" + text + ")");
  }

  /** {@code 1h30m}, as in {@code @every 1h30m}. */
  static CronRule.Every every(String text) {
    Matcher every = EVERY.matcher(text.toLowerCase(Locale.ROOT));
    if (text.isEmpty() || !every.matches()) {
      throw new IllegalArgumentException("@every " + text + ": must be like @every 1h30m");
    }
    Duration interval =
        Duration.ofDays(number(every, 1))
            .plusHours(number(every, 2))
            .plusMinutes(number(every, 3))
            .plusSeconds(number(every, 4));
    return positive(interval, "@every " + text);
  }

  /** {@code 2027-03-28T02:30:00}, as in {@code at(2027-03-28T02:30:00)}. */
  static CronRule.Once at(String text) {
    try {
      return new CronRule.Once(LocalDateTime.parse(text));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "at(" + text + "): must be like at(2027-03-28T02:30:00)", e);
    }
  }

  private static long number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static CronRule.Every positive(Duration interval, String text) {
    if (interval.isZero()) {
      throw new IllegalArgumentException(text + ": must be at least a second");
    }
    return new CronRule.Every(interval);
  }
}
