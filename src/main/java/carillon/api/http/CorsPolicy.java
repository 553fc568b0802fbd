package carillon.api.http;

import carillon.auth.RequestId;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Cross-origin resource sharing (CORS): which pages of other origins may use the API from a
 * browser, and what they may send and read. Cookies and client certificates of the browser never
 * count for them. Thread-safe.
 */
public final class CorsPolicy {
  private static final Set<HttpMethod> METHODS =
      Set.of(
          HttpMethod.GET,
          HttpMethod.HEAD,
          HttpMethod.PUT,
          HttpMethod.POST,
          HttpMethod.PATCH,
          HttpMethod.DELETE);

  /** Not among them: the header that makes the console's session count. */
  private static final Set<String> REQUEST_HEADERS =
      Set.of(
          "Authorization",
          "api-key",
          "Content-Type",
          "If-Match",
          "If-None-Match",
          "Idempotency-Key",
          "traceparent",
          "tracestate",
          RequestId.HEADER,
          "x-ms-correlation-request-id",
          "x-ms-version");

  private static final Set<String> RESPONSE_HEADERS =
      Set.of(
          "ETag",
          "Location",
          "Retry-After",
          "Warning",
          "WWW-Authenticate",
          "Idempotency-Replayed",
          RequestId.HEADER,
          "x-ms-correlation-request-id",
          "x-ms-client-request-id",
          "x-ms-failure-cause",
          "x-ms-request-id",
          "x-ms-routing-request-id",
          "x-ms-ratelimit-remaining-subscription-reads",
          "x-ms-ratelimit-remaining-subscription-writes",
          "x-ms-ratelimit-burst-remaining-scheduler-reads",
          "x-ms-ratelimit-burst-remaining-scheduler-writes");

  /** Browsers keep the answer to a preflight no longer than two hours. */
  private static final Duration PREFLIGHT_AGE = Duration.ofHours(1);

  private final Set<String> origins;
  private final boolean isForAll;
  private final boolean needsCredential;
  private final CorsHandler handler;

  /**
   * The policy of these origins, each as a browser sends it, or {@code *} for all; none for an
   * empty list.
   *
   * @param isLoginRequired whether callers have to say who they are
   */
  public CorsPolicy(List<String> origins, boolean isLoginRequired) {
    this.origins = Set.copyOf(origins);
    this.isForAll = origins.contains("*");
    this.needsCredential = isForAll || isLoginRequired;
    this.handler =
        CorsHandler.create()
            .addOrigins(isForAll ? List.of("*") : origins)
            .allowedMethods(METHODS)
            .allowedHeaders(REQUEST_HEADERS)
            .exposedHeaders(RESPONSE_HEADERS)
            .maxAgeSeconds((int) PREFLIGHT_AGE.toSeconds());
  }

  /**
   * Whether a page of an allowed origin may send this request. Where all origins are allowed, or
   * callers have to say who they are, only one that carries a key or token: a browser then asks
   * beforehand, and has added nothing that the page does not know, as a certificate.
   */
  public boolean permits(HttpServerRequest request) {
    return isAllowed(request)
        && (!needsCredential
            || request.method().equals(HttpMethod.OPTIONS)
            || request.headers().contains(HttpHeaders.AUTHORIZATION)
            || request.headers().contains("api-key"));
  }

  private boolean isAllowed(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin != null && (isForAll || origins.contains(origin));
  }

  /**
   * Handler that answers preflights and lets pages of the allowed origins read answers. Requests of
   * others it leaves as they are, and where all origins are allowed those that need no credential:
   * a browser may reach what is closed to the pages that it shows.
   *
   * @param isOpen whether a request is answered without a credential
   */
  public Handler<RoutingContext> handler(Predicate<HttpServerRequest> isOpen) {
    return ctx -> {
      vary(ctx.request());
      if (mayRead(ctx.request(), isOpen)) {
        handler.handle(ctx);
      } else {
        ctx.next();
      }
    };
  }

  /**
   * Lets pages of the allowed origins read why a request is refused that does not get to the {@link
   * #handler}.
   *
   * @param isOpen whether a request is answered without a credential
   */
  public void allowReading(HttpServerRequest request, Predicate<HttpServerRequest> isOpen) {
    vary(request);
    if (mayRead(request, isOpen)) {
      request
          .response()
          .putHeader(
              HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN,
              isForAll ? "*" : request.getHeader(HttpHeaders.ORIGIN))
          .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, String.join(",", RESPONSE_HEADERS));
    }
  }

  private void vary(HttpServerRequest request) {
    if (!isForAll && !origins.isEmpty()) {
      request.response().headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    }
  }

  private boolean mayRead(HttpServerRequest request, Predicate<HttpServerRequest> isOpen) {
    return isAllowed(request) && !(isForAll && isOpen.test(request));
  }
}
