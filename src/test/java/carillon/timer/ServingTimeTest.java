package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServingTimeTest {
  private long nanos = 1_000_000_000;
  private final ServingTime time = new ServingTime(() -> nanos);
  private final long begin = time.millis();

  private void pass(long millis, boolean isRedisUp) {
    for (long left = millis; left > 0; left -= 250) {
      nanos += TimeUnit.MILLISECONDS.toNanos(250);
      time.tick(isRedisUp);
    }
  }

  private long passed() {
    return time.millis() - begin;
  }

  @Test
  void itPassesWhileTheNodeServes() {
    nanos += TimeUnit.MILLISECONDS.toNanos(120);
    assertEquals(120, passed());

    nanos += TimeUnit.MILLISECONDS.toNanos(130);
    time.tick(true);
    assertEquals(250, passed());

    pass(10_000, true);
    assertEquals(10_250, passed());
  }

  @Test
  void itStandsStillWhileRedisIsAway() {
    pass(1000, true);

    pass(30_000, false);

    assertEquals(1250, passed());
    pass(1000, true);
    assertEquals(2000, passed());
  }

  @Test
  void itStandsStillWhileTheNodeIsPaused() {
    pass(1000, true);

    nanos += TimeUnit.SECONDS.toNanos(20);

    assertEquals(1500, passed());
    time.tick(true);
    assertEquals(1500, passed());
    pass(1000, true);
    assertEquals(2500, passed());
  }
}
