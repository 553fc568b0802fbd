package carillon.support;

import carillon.redis.SharedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that only the test moves. It ignores the time of Redis. Thread-safe. */
public final class TestClock implements SharedClock {
  private volatile Instant now;
  private volatile Duration uncertainty = Duration.ZERO;
  private volatile Duration behind = Duration.ZERO;
  private final AtomicReference<Duration> untold = new AtomicReference<>(Duration.ZERO);
  private final AtomicInteger steps = new AtomicInteger();

  public TestClock(Instant now) {
    this.now = now;
  }

  public void set(Instant instant) {
    now = instant;
  }

  public void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Sets by how much Redis' clock may be ahead. */
  public void doubt(Duration ahead) {
    uncertainty = ahead;
  }

  @Override
  public Duration uncertainty() {
    return uncertainty;
  }

  /** Sets Redis' clock back by this. This clock follows only at the next check. */
  public void leaveBehind(Duration by) {
    behind = by;
  }

  /** Follows a Redis clock that is more than a second behind. */
  @Override
  public long check(long asked, long redisMicros) {
    Instant redis = now.minus(behind);
    if (behind.compareTo(Duration.ofSeconds(1)) > 0) {
      step(behind.negated());
      behind = Duration.ZERO;
    }
    return redis.toEpochMilli();
  }

  /** Steps like Redis' clock when it is set. */
  public void step(Duration by) {
    now = now.plus(by);
    steps.incrementAndGet();
  }

  @Override
  public int steps() {
    return steps.get();
  }

  @Override
  public long ask() {
    return 0;
  }

  /** Simulates that Redis' clock was set and that only the next heartbeat reports it. */
  public void stepWhenTold(Duration by) {
    untold.set(by);
  }

  /** Ignores the time of Redis, but applies a step from {@link #stepWhenTold}. */
  @Override
  public void observe(long asked, long redisMicros) {
    Duration step = untold.getAndSet(Duration.ZERO);
    if (!step.isZero()) {
      step(step);
    }
  }
}
