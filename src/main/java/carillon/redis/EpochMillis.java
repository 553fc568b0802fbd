package carillon.redis;

import java.time.Instant;

/**
 * Conversion of instants to epoch milliseconds, the scores of Redis, rounded up so that nothing is
 * due early.
 */
public final class EpochMillis {
  private static final long NANOS = 1_000_000;

  private EpochMillis() {}

  /** Reads a score as Redis writes it in a text. A score that a hand wrote may be infinite. */
  public static double score(String text) {
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** Returns epoch milliseconds, rounded up. */
  public static long of(Instant instant) {
    return instant.plusNanos(NANOS - 1).toEpochMilli();
  }

  public static String text(Instant instant) {
    return Long.toString(of(instant));
  }
}
