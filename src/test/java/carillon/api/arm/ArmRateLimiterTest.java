package carillon.api.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings.ArmSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArmRateLimiterTest {
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");

  @Test
  void whatIsRefusedTakesNothingMore() {
    ArmRateLimiter limiter = new ArmRateLimiter(new ArmSettings(2, 9, 9, 9));

    IntStream.range(0, 5).forEach(i -> limiter.count("s", true, NOW));

    assertEquals(
        new ArmRateLimiter.Remaining(0, 3, Duration.ofHours(1)), limiter.count("S", true, NOW));
    assertEquals(
        new ArmRateLimiter.Remaining(1, 8, Duration.ZERO),
        limiter.count("s", true, NOW.plusSeconds(3600)));
    assertEquals(new ArmRateLimiter.Remaining(8, 8, Duration.ZERO), limiter.count("s", false, NOW));
  }

  @Test
  void noRequestIsLostBetweenThreads() {
    ArmRateLimiter limiter = new ArmRateLimiter(new ArmSettings(100_000, 1, 100_000, 1));

    IntStream.range(0, 50_000).parallel().forEach(i -> limiter.count("s", true, NOW));

    assertEquals(
        new ArmRateLimiter.Remaining(49_999, 49_999, Duration.ZERO), limiter.count("s", true, NOW));
  }

  @Test
  void subscriptionsThatNobodyCanTellApartShareABudget() {
    ArmRateLimiter limiter = new ArmRateLimiter(new ArmSettings(1, 1, 1, 1));

    IntStream.range(0, 10_000).forEach(i -> limiter.count("s" + i, true, NOW));

    assertFalse(limiter.count("another", true, NOW).isExceeded());
    assertTrue(limiter.count("yet another", true, NOW).isExceeded());
    assertTrue(limiter.count("s1", true, NOW).isExceeded());
  }
}
