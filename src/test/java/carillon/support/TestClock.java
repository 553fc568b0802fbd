package carillon.support;

import carillon.store.TimeKeeper;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it; what Redis says is not heeded. Thread-safe. */
public final class TestClock implements TimeKeeper {
  private volatile Instant now;
  private volatile Duration uncertainty = Duration.ZERO;

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

  @Override
  public long ask() {
    return 0;
  }

  @Override
  public void observe(long asked, long redisMicros) {
    // deliberate: the test is the clock
  }
}
