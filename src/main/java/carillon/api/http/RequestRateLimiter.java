package carillon.api.http;

import carillon.access.Caller;
import carillon.bounded.FixedWindowRateLimiter;
import carillon.config.Settings.RatesSettings;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;

/**
 * Rate limiter of requests: limits requests per minute of each caller and for each collection, as
 * in the section {@code rates} of the settings. Shared by all instances of the API of a node;
 * thread-safe.
 */
public final class RequestRateLimiter {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final RatesSettings settings;
  private final FixedWindowRateLimiter callers;
  private final FixedWindowRateLimiter collections;

  public RequestRateLimiter(RatesSettings settings) {
    this.settings = settings;
    this.callers = new FixedWindowRateLimiter(settings.perCaller(), WINDOW);
    this.collections = new FixedWindowRateLimiter(settings.perCollection(), WINDOW);
  }

  /**
   * Counts a request of its caller, where callers have a limit; throws an {@link HttpException}
   * when it is one too many.
   */
  public void countCaller(Caller caller, HttpServerRequest request, Instant now) {
    if (settings.perCaller() > 0) {
      String name = ApiRequest.callerName(caller, request);
      count(callers, name, settings.perCaller(), now, "This caller");
    }
  }

  /**
   * Counts a request for a collection or a resource in one, if collections have a limit; throws
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
    if (limiter.take(name, now) < 0) {
      throw HttpException.tooMany(
          who + " may make " + limit + " requests a minute; try again.", limiter.untilRenewal(now));
    }
  }
}
