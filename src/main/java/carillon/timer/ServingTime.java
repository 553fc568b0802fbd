package carillon.timer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Clock for measuring destinations: counts milliseconds during which this node ran and Redis
 * answered. Steps of the Redis clock do not move it. It stands still while Redis is away or the
 * node is paused, because destinations are not the reason why calls do not end then. Confined to
 * the timer's event loop.
 */
final class ServingTime {
  private static final long TICK =
      TimeUnit.MILLISECONDS.toNanos(DestinationBulkhead.CHECK_INTERVAL);

  private final LongSupplier monotonicNanos;
  private long lastTick;
  private long away;
  private boolean isAway;

  /**
   * Creates a time that begins with an arbitrary number.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   */
  ServingTime(LongSupplier monotonicNanos) {
    this.monotonicNanos = monotonicNanos;
    this.lastTick = monotonicNanos.getAsLong();
  }

  /**
   * Updates the time. Must be called once per {@link DestinationBulkhead#CHECK_INTERVAL}, or as
   * often as the node can.
   */
  void tick(boolean isRedisUp) {
    long now = monotonicNanos.getAsLong();
    long passed = now - lastTick;
    away += isAway ? passed : Math.max(0, passed - 2 * TICK);
    lastTick = now;
    isAway = !isRedisUp;
  }

  /** Current time in milliseconds. */
  long millis() {
    long now = isAway ? lastTick : Math.min(monotonicNanos.getAsLong(), lastTick + 2 * TICK);
    return TimeUnit.NANOSECONDS.toMillis(now - away);
  }
}
