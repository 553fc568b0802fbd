package carillon.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Clock that follows Redis' clock by this machine's monotonic clock, so that a wrong wall clock on
 * a node changes nothing.
 *
 * <p>An answer to TIME is older than its arrival by some part of a round trip, so "its time plus
 * the time since its arrival" is never ahead of Redis. Each of the last few answers gives such a
 * bound; the latest instant among them is the best estimate that still errs on the late side.
 * Example: answers seen after 0.2 ms and after 30 ms (a busy loop) both bound the clock; the first
 * one is followed until it is out of the window.
 *
 * <p>In the same way, "its time plus the time since the request" is never behind Redis. The
 * earliest of these instants is the upper bound of Redis' time now.
 *
 * <p>An answer may be behind the estimate even with the longest possible delay. Then Redis' own
 * clock was set back or runs slower, or another master with another clock has taken over. The older
 * answers are forgotten, and this clock goes back too, so that nothing is early by the new clock.
 * If the difference is less than a second, this clock stops until Redis' clock has caught up. A
 * clock that was set forward is followed immediately.
 *
 * <p>Thread-safe: one thread observes, any thread reads.
 */
public final class RedisClock implements SharedClock {
  private static final int WINDOW = 5;
  private static final long STEP_MICROS = 1_000_000;

  private final LongSupplier monotonicNanos;
  private final long[] least = new long[WINDOW]; // bounds of Redis' lead over the monotonic clock
  private final long[] most = new long[WINDOW];
  private int observed;
  private volatile long offsetMicros = Long.MIN_VALUE;
  private volatile long uncertainMicros;
  private volatile int steps; // written under the lock only
  private volatile long floorMicros = Long.MIN_VALUE; // latest instant returned before a step back

  /**
   * A clock that does not know the time yet.
   *
   * @param monotonicNanos {@code System::nanoTime} outside tests
   */
  public RedisClock(LongSupplier monotonicNanos) {
    this.monotonicNanos = monotonicNanos;
  }

  @Override
  public long ask() {
    return monotonicNanos.getAsLong();
  }

  /**
   * Checks an answer. An answer that only confirms this clock is not counted among its bounds,
   * because such answers come too often.
   */
  @Override
  public long check(long asked, long redisMicros) {
    if (isBehind(asked, redisMicros) || isAhead(redisMicros)) {
      observe(asked, redisMicros);
    }
    return Math.floorDiv(redisMicros, 1000L);
  }

  /** Whether Redis' clock is behind this one, for any delay of the answer. */
  private boolean isBehind(long asked, long redisMicros) {
    return redisMicros - Math.floorDiv(asked, 1000L) < offsetMicros;
  }

  /** Whether Redis' clock is further ahead than it may be. */
  private boolean isAhead(long redisMicros) {
    return redisMicros - monotonicNanos.getAsLong() / 1000 > offsetMicros + uncertainMicros;
  }

  @Override
  public synchronized void observe(long asked, long redisMicros) {
    long atLeast = redisMicros - monotonicNanos.getAsLong() / 1000;
    long atMost = redisMicros - Math.floorDiv(asked, 1000L);
    boolean behind = observed > 0 && isBehind(asked, redisMicros);
    boolean setBack = behind && atMost < offsetMicros - STEP_MICROS;
    boolean setForward = observed > 0 && atLeast > offsetMicros + uncertainMicros;
    boolean carriesOn = observed > 0 && !setBack && !setForward;
    if (behind || setForward) {
      observed = 0;
    }
    if (setBack || (setForward && atLeast > offsetMicros + STEP_MICROS)) {
      steps = steps + 1;
    }
    floorMicros = carriesOn ? micros() : Long.MIN_VALUE;
    least[observed % WINDOW] = atLeast;
    most[observed % WINDOW] = atMost;
    observed++;
    int known = Math.min(observed, WINDOW);
    long offset = Arrays.stream(least, 0, known).max().orElseThrow();
    uncertainMicros = Math.max(0, Arrays.stream(most, 0, known).min().orElseThrow() - offset);
    offsetMicros = offset;
  }

  @Override
  public Duration uncertainty() {
    return Duration.of(uncertainMicros, ChronoUnit.MICROS);
  }

  @Override
  public int steps() {
    return steps;
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
