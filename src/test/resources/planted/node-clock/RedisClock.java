package carillon.redis;

import java.time.Duration;
import java.time.Instant;

/** A planted bug: the node's own clock, which is two seconds fast, instead of Redis'. */
public final class RedisClock implements SharedClock {
  private static final long FAST_MS = 2000;

  public RedisClock(java.util.function.LongSupplier monotonicNanos) {}

  @Override
  public long ask() {
    return 0;
  }

  @Override
  public void observe(long asked, long redisMicros) {}

  @Override
  public Duration uncertainty() {
    return Duration.ZERO;
  }

  @Override
  public int steps() {
    return 0;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return System.currentTimeMillis() + FAST_MS;
  }
}
