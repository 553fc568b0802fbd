package carillon.api.http;

import carillon.bounded.FixedWindowRateLimiter;
import carillon.config.Settings.RatesSettings;
import java.time.Duration;
import java.time.Instant;

/**
 * Rate limiter of requests: so many a minute of each caller and for each collection, as the section
 * {@code rates} of the settings says. Shared by all instances of the API of a node; thread-safe.
 */
public final class RequestRateLimiter {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final RatesSettings settings;
  private final FixedWindowRateLimiter callers;
  private final FixedWindowRateLimiter collections;

  RequestRateLimiter(RatesSettings settings) {
    this.settings = settings;
    this.callers = new FixedWindowRateLimiter(settings.perCaller(), WINDOW);
    this.collections = new FixedWindowRateLimiter(settings.perCollection(), WINDOW);
  }

  /** Whether the requests of a caller are counted. */
  public boolean limitsCallers() {
    return settings.perCaller() > 0;
  }

  /** Counts a request of a caller; throws an {@link HttpException} when it is one too many. */
  public void countCaller(String caller, Instant now) {
    count(callers, caller, settings.perCaller(), now, "This caller");
  }

  /**
   * Counts a request for a collection or for what is in one; throws an {@link HttpException}
   * likewise.
   */
  public void countCollection(ApiRequest request) {
    if (settings.perCollection() > 0 && request.path().hasCollection()) {
      String key = request.path().collection().key();
      count(collections, key, settings.perCollection(), request.now(), "This collection");
    }
  }

  private static void count(
      FixedWindowRateLimiter limiter, String name, int limit, Instant now, String who) {
    if (limit > 0 && limiter.take(name, now) < 0) {
      throw HttpException.tooMany(
          who + " may make " + limit + " requests a minute; try again.", limiter.untilRenewal(now));
    }
  }
}
