package carillon.redis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts: growing, with full jitter, so that many nodes that lost the same Redis
 * do not return in step.
 *
 * @param max longest pause
 */
record Backoff(Duration max) {
  private static final long FIRST_MS = 20;

  /** Milliseconds, at least 1. */
  long millis(int failures) {
    long ceiling = Math.min(max.toMillis(), FIRST_MS << Math.min(failures, 10));
    return 1 + ThreadLocalRandom.current().nextLong(ceiling);
  }
}
