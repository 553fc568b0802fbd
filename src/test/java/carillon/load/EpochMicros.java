package carillon.load;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Wall clock of this machine, in microseconds since 1970. The Redis of the scheduler reads the same
 * clock.
 */
public final class EpochMicros {
  /** Microseconds per millisecond. */
  public static final long PER_MILLI = 1000;

  /** Microseconds per second. */
  public static final long PER_SECOND = 1_000_000;

  private EpochMicros() {}

  /** Converts microseconds to milliseconds, for display. */
  public static double toMillis(long micros) {
    return micros / (double) PER_MILLI;
  }

  /** Returns the instant, truncated to the millisecond. */
  public static Instant toInstant(long micros) {
    return Instant.ofEpochMilli(micros / PER_MILLI);
  }

  /** Returns the microseconds of an instant. */
  public static long of(Instant instant) {
    return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1000;
  }

  /** Returns the current time. */
  public static long now() {
    return of(Instant.now());
  }
}
