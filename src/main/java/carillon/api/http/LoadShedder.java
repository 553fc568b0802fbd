package carillon.api.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Whether an event loop cannot keep up, by how late its timer is. A single late timer is a pause,
 * and what waited for it is served; only when it is late again and again more comes than is done.
 * Then reads are refused, which nobody loses anything by, and when it gets worse writes; what is
 * left of the loop is for executions. Confined to the event loop.
 */
public final class LoadShedder {
  /** How often the timer comes. */
  public static final Duration PERIOD = Duration.ofMillis(100);

  private static final int AGAIN = 3;

  private final long maxLagNanos;
  private final LongSupplier nanoClock;
  private final long[] lags = new long[AGAIN];
  private int ticks;
  private long expected;
  private long lag;

  public LoadShedder(Duration maxLag, LongSupplier nanoClock) {
    this.maxLagNanos = maxLag.toNanos();
    this.nanoClock = nanoClock;
    this.expected = nanoClock.getAsLong() + PERIOD.toNanos();
  }

  /** The timer has come; it is to be set again after this. */
  public void ticked() {
    long now = nanoClock.getAsLong();
    lags[ticks++ % AGAIN] = now - expected;
    lag = Arrays.stream(lags).min().orElse(0);
    expected = now + PERIOD.toNanos();
  }

  /** Refuses what is too much now. */
  public void check(boolean isRead) {
    if (lag > (isRead ? maxLagNanos : 2 * maxLagNanos)) {
      throw HttpException.busy("This node has more to do than it can; try again.");
    }
  }
}
