package carillon.benchmark;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of this machine, which the scheduler's Redis reads as well, in microseconds since
 * 1970.
 */
final class EpochMicros {
  static final long PER_MILLI = 1000;
  static final long PER_SECOND = 1_000_000;

  private EpochMicros() {}

  static long now() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
  }
}
