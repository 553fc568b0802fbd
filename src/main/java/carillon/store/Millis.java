package carillon.store;

import java.time.Instant;

/**
 * Instants as scores: the first whole millisecond that is not before the instant, so that nothing
 * is due early.
 */
public final class Millis {
  private static final long NANOS = 1_000_000;

  private Millis() {}

  /** Epoch milliseconds, rounded up. */
  public static long of(Instant instant) {
    return instant.plusNanos(NANOS - 1).toEpochMilli();
  }

  static String text(Instant instant) {
    return Long.toString(of(instant));
  }
}
