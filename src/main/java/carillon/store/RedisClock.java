package carillon.store;

import java.time.Instant;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Redis' clock, carried on with this machine's monotonic clock, so that a wrong wall clock on a
 * node changes nothing.
 *
 * <p>An answer to TIME is older than its arrival by some part of a round trip, so "what it said
 * plus the time since it arrived" is never ahead of Redis. Every one of the last few answers gives
 * such a bound; the latest instant among them is the best estimate that still errs on the late
 * side. Example: answers seen after 0.2 ms and after 30 ms (a busy loop) both bound the clock; the
 * first one is followed until it is out of the window.
 *
 * <p>When an answer contradicts the estimate by more than a round trip could explain, Redis' own
 * clock was set back, or another master with another clock has taken over: the older answers are
 * forgotten, and this clock goes back with it, so that nothing is early by the clock that counts
 * now. A smaller difference is waited for: this clock stands still until Redis' has come up to it.
 * A clock that was set forward is followed at once.
 *
 * <p>Thread-safe: one thread observes, any thread reads.
 */
public final class RedisClock implements TimeKeeper {
  private static final int WINDOW = 5;
  private static final long STEP_MICROS = 1_000_000;

  private final LongSupplier monotonicNanos;
  private final long[] offsets = new long[WINDOW];
  private int observed;
  private volatile long offsetMicros = Long.MIN_VALUE;
  private volatile long floorMicros =
      Long.MIN_VALUE; // what was told before it would have gone back

  /**
   * A clock that does not know the time yet.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   */
  public RedisClock(LongSupplier monotonicNanos) {
    this.monotonicNanos = monotonicNanos;
  }

  @Override
  public synchronized void observe(long redisMicros) {
    long offset = redisMicros - monotonicNanos.getAsLong() / 1000;
    boolean setBack = observed > 0 && offset < offsetMicros - STEP_MICROS;
    if (setBack) {
      observed = 0;
    }
    floorMicros = setBack || observed == 0 ? Long.MIN_VALUE : micros();
    offsets[observed % WINDOW] = offset;
    observed++;
    offsetMicros = Arrays.stream(offsets, 0, Math.min(observed, WINDOW)).max().orElseThrow();
  }

  /**
   * The instant in microseconds.
   *
   * @throws IllegalStateException before the first observation
   */
  @Override
  public Instant instant() {
    long micros = micros();
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }

  @Override
  public long millis() {
    return Math.floorDiv(micros(), 1000L);
  }

  private long micros() {
    if (offsetMicros == Long.MIN_VALUE) {
      throw new IllegalStateException("Redis has not told the time yet");
    }
    return Math.max(floorMicros, monotonicNanos.getAsLong() / 1000 + offsetMicros);
  }
}
