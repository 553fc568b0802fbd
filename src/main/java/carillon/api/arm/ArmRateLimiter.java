package carillon.api.arm;

import carillon.bounded.FixedWindowRateLimiter;
import carillon.config.Settings.ArmSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Rate limiter of the dialect of Azure Resource Manager (ARM): requests of each subscription to
 * this node. As in Azure there is an hourly budget of the front door and one of five minutes of the
 * provider, each for writes and for reads. Shared by all instances of the API of a node;
 * thread-safe.
 */
final class ArmRateLimiter {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BURST = Duration.ofMinutes(5);

  private final FixedWindowRateLimiter writes;
  private final FixedWindowRateLimiter burstWrites;
  private final FixedWindowRateLimiter reads;
  private final FixedWindowRateLimiter burstReads;

  /**
   * Remaining budget after a request was counted.
   *
   * @param hourly until the hour is over
   * @param burst until the five minutes are over
   * @param refusedFor zero, or the time after which a request that exceeds a budget can succeed
   */
  record Remaining(int hourly, int burst, Duration refusedFor) {
    boolean isExceeded() {
      return !refusedFor.isZero();
    }
  }

  /** A limiter from which nothing has been taken. */
  ArmRateLimiter(ArmSettings settings) {
    writes = new FixedWindowRateLimiter(settings.writesPerHour(), HOUR);
    burstWrites = new FixedWindowRateLimiter(settings.burstWrites(), BURST);
    reads = new FixedWindowRateLimiter(settings.readsPerHour(), HOUR);
    burstReads = new FixedWindowRateLimiter(settings.burstReads(), BURST);
  }

  /** Counts one request of the subscription. */
  Remaining count(String subscription, boolean isWrite, Instant now) {
    String name = subscription.toLowerCase(Locale.ROOT);
    return isWrite ? count(writes, burstWrites, name, now) : count(reads, burstReads, name, now);
  }

  private static Remaining count(
      FixedWindowRateLimiter hourly, FixedWindowRateLimiter burst, String name, Instant now) {
    int left = hourly.take(name, now);
    int leftOfBurst = burst.take(name, now);
    Duration refused = leftOfBurst < 0 ? burst.untilRenewal(now) : Duration.ZERO;
    return new Remaining(
        Math.max(0, left), Math.max(0, leftOfBurst), left < 0 ? hourly.untilRenewal(now) : refused);
  }
}
