package carillon.store;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * This node's right to send calls: it ends when the heartbeat was not renewed in time, by the
 * monotonic clock, because by then others may have taken the node's claims over. Thread-safe: the
 * timer renews, the dispatchers ask.
 */
public final class Lease {
  private final LongSupplier monotonicNanos;
  private final long validNanos;
  private volatile long renewed;
  private volatile boolean held;

  /**
   * A lease that is not held until the first heartbeat.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   * @param length after which the others take a silent node for dead
   * @param margin by which this node is quicker to give itself up
   */
  public Lease(LongSupplier monotonicNanos, Duration length, Duration margin) {
    this.monotonicNanos = monotonicNanos;
    this.validNanos = length.minus(margin).toNanos();
  }

  /** The instant to pass to {@link #renew} when the heartbeat has been confirmed. */
  public long begin() {
    return monotonicNanos.getAsLong();
  }

  /** A heartbeat that was sent at {@code begun} has reached Redis. */
  public void renew(long begun) {
    renewed = begun;
    held = true;
  }

  /** Whether a call may be sent now. */
  public boolean isHeld() {
    return held && monotonicNanos.getAsLong() - renewed < validNanos;
  }
}
