package carillon.redis;

import java.time.Instant;

/**
 * Conversion of instants to epoch milliseconds, the scores of Redis, rounded up so that nothing is
 * due early.
 */
public final class EpochMillis {
  private static final long NANOS = 1_000_000;

  private EpochMillis() {}

  /** Epoch milliseconds, rounded up. */
  public static long of(Instant instant) {
    return instant.plusNanos(NANOS - 1).toEpochMilli();
  }

  public static String text(Instant instant) {
    return Long.toString(of(instant));
  }

  /** The half behind an epoch millisecond: so is due what was put off, see {@code claim}. */
  public static String half(Instant instant) {
    return of(instant) + ".5";
  }
}
