package carillon.api.edge;

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
 * Cross-origin resource sharing (CORS): decides which pages of other origins may use the API from a
 * browser. Also limits their requests and answers. Cookies and client certificates of the browser
 * never count for them. Thread-safe.
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

  /**
   * Request headers that pages may send. The header that activates the console's session is not
   * among them.
   */
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

  /** Lifetime of the answer to a preflight; browsers keep it no longer than two hours. */
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
   * Whether a page of an allowed origin may send this request. If all origins are allowed, or
   * callers must authenticate, the request must carry a key or token. A browser then sends a
   * preflight first, and has added no credential that the page does not know, such as a
   * certificate.
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
   * other origins stay as they are. If all origins are allowed, so do requests that need no
   * credential: a browser may reach a server that the sites of its pages cannot reach.
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
   * Lets pages of the allowed origins read the reason if a request is refused before it reaches the
   * {@link #handler}.
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
