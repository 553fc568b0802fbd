package carillon.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clock that stops until it is set forward. It replaces Redis' clock in simulated time, and ignores
 * the time of Redis. Thread-safe.
 */
public final class VirtualClock implements SharedClock {
  private final AtomicReference<Instant> now;

  /** Creates a clock with this instant. */
  public VirtualClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  /** Sets it forward; it never goes back. */
  public void advanceTo(Instant instant) {
    now.accumulateAndGet(instant, (one, other) -> one.isAfter(other) ? one : other);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public long ask() {
    return 0;
  }

  @Override
  public void observe(long asked, long redisMicros) {
    // Time passes only when it is set forward.
  }

  @Override
  public Duration uncertainty() {
    return Duration.ZERO;
  }

  @Override
  public int steps() {
    return 0;
  }
}
