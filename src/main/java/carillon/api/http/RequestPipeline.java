package carillon.api.http;

import carillon.access.Caller;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Answers requests: permission, handler, what becomes of a failure, and who is told of it. Each
 * request passes {@link #answer} once, or else a refusal.
 */
public final class RequestPipeline {
  private final ApiObserver observer;
  private final InstantSource clock;
  private final DialectEnvelope arm;

  /** A pipeline of one event loop; paths of Resource Manager are refused as this one does. */
  public RequestPipeline(ApiObserver observer, InstantSource clock, DialectEnvelope arm) {
    this.observer = observer;
    this.clock = clock;
    this.arm = arm;
  }

  /** Answers a request of which it is not asked who makes it. */
  public void answer(HttpServerRequest http, RoutePath path) {
    answer(http, path, ApiRequest.NOBODY, Optional.empty());
  }

  /** Answers a request. */
  public void answer(HttpServerRequest http, RoutePath path, Caller caller, Optional<Buffer> body) {
    Route route = path.route();
    DialectEnvelope envelope = route.envelope();
    ApiRequest request = new ApiRequest(http, body, path, caller, clock.instant(), observer);
    Map<String, String> headers = envelope.headers(http, request.now());
    Future.succeededFuture()
        .compose(
            begun -> {
              envelope.parse(request);
              request.checkPermission(caller);
              envelope.admit(request, headers);
              return route.handler().answer(request);
            })
        .otherwise(failure -> envelope.refusal(failure, http))
        .map(response -> envelope.seal(response, path, headers))
        .onSuccess(
            response -> {
              response.send(http);
              request.answered(response.status());
            });
  }

  /** Answers with something that no route has. */
  public void answer(HttpServerRequest http, String label, ApiResponse response) {
    long begun = System.nanoTime();
    response.send(http);
    observer.answered(
        DialectEnvelope.NONE.word(), label, http.method().name(), response.status(), begun);
  }

  /** Refuses a request that does not get to its route, in the dialect of the path. */
  public void refuse(HttpServerRequest http, RoutePath path, Throwable failure) {
    Instant now = clock.instant();
    DialectEnvelope found = path.route().envelope();
    DialectEnvelope envelope = found == DialectEnvelope.NONE && isArm(http.path()) ? arm : found;
    answer(
        http,
        "refused",
        envelope.seal(envelope.refusal(failure, http), path, envelope.headers(http, now)));
  }

  /** Refuses what is not even good HTTP, in no dialect. */
  public void reject(HttpServerRequest http, HttpException refusal) {
    answer(http, "refused", refusal.answer());
  }

  private static boolean isArm(String path) {
    String folded = String.valueOf(path).toLowerCase(Locale.ROOT);
    return folded.startsWith("/subscriptions/") || folded.startsWith("/providers/");
  }
}
