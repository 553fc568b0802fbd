package carillon.api.http;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many requests in each period of a fixed length, which all begin at the epoch. Thread-safe: the
 * number of the period and what was taken in it share one word.
 */
final class FixedWindowCounter {
  private static final int HALF = 32;

  private final int limit;
  private final long periodSeconds;
  private final AtomicLong periodAndTaken = new AtomicLong();

  FixedWindowCounter(int limit, Duration period) {
    this.limit = limit;
    this.periodSeconds = period.toSeconds();
  }

  /** Takes one. What is left then, or -1 when nothing was left to take. */
  int take(Instant now) {
    long period = now.getEpochSecond() / periodSeconds;
    long taken =
        periodAndTaken.updateAndGet(
                state -> {
                  if (state >>> HALF != period) {
                    return period << HALF | 1;
                  }
                  return (int) state > limit ? state : state + 1;
                })
            & 0xFFFF_FFFFL;
    return (int) (limit - taken);
  }

  /** How long until there is a whole budget again; at least a second. */
  Duration untilRenewal(Instant now) {
    return Duration.ofSeconds(periodSeconds - now.getEpochSecond() % periodSeconds);
  }
}
