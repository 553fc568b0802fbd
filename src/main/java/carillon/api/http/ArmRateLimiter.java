package carillon.api.http;

import carillon.config.Settings.ArmSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each subscription may still ask of this node in the ARM dialect. As in Azure there is an
 * hourly budget of the front door and one of five minutes of the provider, each for writes and for
 * reads. Shared by all instances of the API of a node; thread-safe, without locks.
 */
public final class ArmRateLimiter {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BURST = Duration.ofMinutes(5);

  /** Clients choose the names of subscriptions: beyond so many, the others share one budget. */
  private static final int TOLD_APART = 10_000;

  private static final int LONGEST_NAME = 128;
  private static final String OTHERS = "";

  private final ArmSettings settings;
  private final Map<String, Budgets> subscriptions = new ConcurrentHashMap<>();

  /**
   * What is left after a request was counted.
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

  private record Budgets(
      FixedWindowCounter writes,
      FixedWindowCounter burstWrites,
      FixedWindowCounter reads,
      FixedWindowCounter burstReads) {}

  public ArmRateLimiter(ArmSettings settings) {
    this.settings = settings;
  }

  /** Counts one request of the subscription. */
  Remaining count(String subscription, boolean isWrite, Instant now) {
    Budgets budgets = budgets(subscription);
    return isWrite
        ? count(budgets.writes, budgets.burstWrites, now)
        : count(budgets.reads, budgets.burstReads, now);
  }

  private static Remaining count(FixedWindowCounter hourly, FixedWindowCounter burst, Instant now) {
    int left = hourly.take(now);
    int leftOfBurst = burst.take(now);
    Duration refused = Duration.ZERO;
    if (leftOfBurst < 0) {
      refused = burst.untilRenewal(now);
    }
    if (left < 0) {
      refused = hourly.untilRenewal(now);
    }
    return new Remaining(Math.max(0, left), Math.max(0, leftOfBurst), refused);
  }

  private Budgets budgets(String subscription) {
    String name = subscription.toLowerCase(Locale.ROOT);
    Budgets known = subscriptions.get(name);
    if (known != null) {
      return known;
    }
    boolean isToldApart = subscriptions.size() < TOLD_APART && name.length() <= LONGEST_NAME;
    return subscriptions.computeIfAbsent(isToldApart ? name : OTHERS, any -> newBudgets());
  }

  private Budgets newBudgets() {
    return new Budgets(
        new FixedWindowCounter(settings.writesPerHour(), HOUR),
        new FixedWindowCounter(settings.burstWrites(), BURST),
        new FixedWindowCounter(settings.readsPerHour(), HOUR),
        new FixedWindowCounter(settings.burstReads(), BURST));
  }
}
