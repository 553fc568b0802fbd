package carillon.load;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of this machine, which the scheduler's Redis reads as well, in microseconds since
 * 1970.
 */
public final class EpochMicros {
  /** Microseconds of a millisecond. */
  public static final long PER_MILLI = 1000;

  /** Microseconds of a second. */
  public static final long PER_SECOND = 1_000_000;

  private EpochMicros() {}

  /** Microseconds in milliseconds, for people. */
  public static double toMillis(long micros) {
    return micros / (double) PER_MILLI;
  }

  /** The instant, to the millisecond. */
  public static Instant toInstant(long micros) {
    return Instant.ofEpochMilli(micros / PER_MILLI);
  }

  /** Microseconds of an instant. */
  public static long of(Instant instant) {
    return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1000;
  }

  /** The time now. */
  public static long now() {
    return of(Instant.now());
  }
}
