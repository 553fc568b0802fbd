package carillon.api.edge;

import carillon.api.http.HttpException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Load shedder: refuses requests when the event loop cannot keep up, measured by the delay of its
 * own timer. One late timer is a pause; only three in a row are overload. Reads are refused first,
 * as they lose nothing, and writes when the lag doubles, so that executions have the rest of the
 * loop. Confined to the event loop.
 */
public final class LoadShedder {
  /** Period of the timer. */
  public static final Duration PERIOD = Duration.ofMillis(100);

  private static final int LATE_TICKS = 3;

  private final long maxLagNanos;
  private final LongSupplier nanoClock;
  private final long[] lags = new long[LATE_TICKS];
  private int ticks;
  private long expected;
  private long lag;

  public LoadShedder(Duration maxLag, LongSupplier nanoClock) {
    this.maxLagNanos = maxLag.toNanos();
    this.nanoClock = nanoClock;
    this.expected = nanoClock.getAsLong() + PERIOD.toNanos();
  }

  /** Measures the lag; call it when the timer fires, then set the timer again. */
  public void ticked() {
    long now = nanoClock.getAsLong();
    lags[ticks++ % LATE_TICKS] = now - expected;
    lag = Arrays.stream(lags).min().orElse(0);
    expected = now + PERIOD.toNanos();
  }

  /** Refuses the request while the loop is overloaded. */
  public void check(boolean isRead) {
    if (lag > (isRead ? maxLagNanos : 2 * maxLagNanos)) {
      throw HttpException.busy("This node is overloaded; try again.");
    }
  }
}
