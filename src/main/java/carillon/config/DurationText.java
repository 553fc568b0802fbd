package carillon.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a duration as people write it: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 12h},
 * {@code 60d}, or ISO-8601.
 */
final class DurationText {
  static final String RULE = "must be a duration such as 500ms, 10s, 5m, 12h, 60d or PT1H30M";
  private static final Pattern SHORT = Pattern.compile("(\\d{1,18})\\s*(ms|s|m|h|d)");
  private static final List<Map.Entry<String, Long>> UNITS_MS =
      List.of(
          Map.entry("d", 86_400_000L),
          Map.entry("h", 3_600_000L),
          Map.entry("m", 60_000L),
          Map.entry("s", 1_000L),
          Map.entry("ms", 1L));

  private DurationText() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    try {
      return matcher.matches()
          ? Duration.ofMillis(
              Math.multiplyExact(Long.parseLong(matcher.group(1)), unitMs(matcher.group(2))))
          : Duration.parse(text);
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(RULE, e);
    }
  }

  /** The short form in the largest unit that is exact; ISO-8601 when there is none. */
  static String format(Duration duration) {
    if (duration.isNegative() || duration.toNanosPart() % 1_000_000 != 0) {
      return duration.toString();
    }
    if (duration.isZero()) {
      return "0s";
    }
    long ms = duration.toMillis();
    return UNITS_MS.stream()
        .filter(unit -> ms % unit.getValue() == 0)
        .findFirst()
        .map(unit -> ms / unit.getValue() + unit.getKey())
        .orElseThrow();
  }

  private static long unitMs(String name) {
    return UNITS_MS.stream()
        .filter(unit -> unit.getKey().equals(name))
        .findFirst()
        .orElseThrow()
        .getValue();
  }
}
