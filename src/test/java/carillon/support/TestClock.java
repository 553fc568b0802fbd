package carillon.support;

import carillon.redis.SharedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it; what Redis says is not heeded. Thread-safe. */
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

  /** From now on Redis' clock may be ahead by this. */
  public void doubt(Duration ahead) {
    uncertainty = ahead;
  }

  @Override
  public Duration uncertainty() {
    return uncertainty;
  }

  /** As when Redis' clock was set back by this, and this clock is still to be told. */
  public void leaveBehind(Duration by) {
    behind = by;
  }

  /** What is more than a second behind is followed. */
  @Override
  public long check(long asked, long redisMicros) {
    Instant redis = now.minus(behind);
    if (behind.compareTo(Duration.ofSeconds(1)) > 0) {
      step(behind.negated());
      behind = Duration.ZERO;
    }
    return redis.toEpochMilli();
  }

  /** As Redis' clock, when it is set. */
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

  /** As when Redis' clock was set, and the next heartbeat is what tells of it. */
  public void stepWhenTold(Duration by) {
    untold.set(by);
  }

  /** The test is the clock. */
  @Override
  public void observe(long asked, long redisMicros) {
    Duration step = untold.getAndSet(Duration.ZERO);
    if (!step.isZero()) {
      step(step);
    }
  }
}
