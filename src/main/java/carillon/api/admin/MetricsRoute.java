package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /metrics}: what Prometheus reads.
 *
 * @param exposition empty where metrics are switched off
 */
public record MetricsRoute(Vertx vertx, Stores stores, Optional<MetricsSource> exposition) {

  /** Never waits long for Redis: what it cannot tell is left out. */
  public Future<ApiResponse> metrics(ApiRequest request) {
    MetricsSource shown =
        exposition.orElseThrow(
            () -> HttpException.notFound("/metrics (the setting metrics.enabled is false)"));
    String accept = request.http().getHeader(HttpHeaders.ACCEPT);
    return shown
        .refresh(stores)
        .compose(fresh -> vertx.executeBlocking(() -> shown.write(accept), false))
        .map(text -> new ApiResponse(200, text.body(), Map.of("Content-Type", text.type())));
  }
}
