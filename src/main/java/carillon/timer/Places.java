package carillon.timer;

import carillon.config.DispatchSettings;
import carillon.job.action.Destination;
import carillon.timer.ClaimDecision.Perform;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Places of this node for calls to destinations: the {@link DestinationBulkhead} with its clock.
 * Confined to the timer's event loop.
 */
final class Places {
  private static final long MAX_PATIENCE_MILLIS = 5000;

  private final DestinationBulkhead<Perform> bulkhead;
  private final ServingTime servingTime;

  /**
   * Creates free places.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   */
  Places(DispatchSettings dispatch, LongSupplier monotonicNanos) {
    this.bulkhead =
        new DestinationBulkhead<>(
            dispatch.maxInFlight(),
            dispatch.maxPerDestination(),
            patienceMillis(dispatch.timeout()));
    this.servingTime = new ServingTime(monotonicNanos);
  }

  /** Returns the maximum duration of a call of a quick destination: far below the timeout. */
  private static long patienceMillis(Duration timeout) {
    return Math.min(MAX_PATIENCE_MILLIS, timeout.toMillis() / 4);
  }

  DestinationBulkhead<Perform> bulkhead() {
    return bulkhead;
  }

  ServingTime servingTime() {
    return servingTime;
  }

  /** Takes a place for a call, if one is free. */
  boolean take(Destination destination) {
    return bulkhead.tryStart(destination, servingTime.millis());
  }

  /** Number of calls to a destination that can begin at this node. */
  int free(Destination destination) {
    return bulkhead.places(destination);
  }

  /** Whether places of a destination become free so fast that calls can wait for them. */
  boolean isQuick(Destination destination) {
    return bulkhead.isQuick(destination, servingTime.millis());
  }

  /** Estimated time until a place is free, ms. */
  long millisUntilFree(Destination destination) {
    long now = servingTime.millis();
    return bulkhead.retryAt(destination, now) - now;
  }
}
