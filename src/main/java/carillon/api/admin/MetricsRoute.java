package carillon.api.admin;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

/**
 * Handler of {@code GET /metrics}, for Prometheus.
 *
 * @param exposition empty where metrics are switched off
 */
public record MetricsRoute(Vertx vertx, Stores stores, Optional<MetricsSource> exposition) {

  /** Answers the meters; leaves out what Redis does not tell in time. */
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

  /** Source of {@code /metrics}. */
  public interface MetricsSource {
    /**
     * Reads from Redis what is shown of it, if that has not been done lately. To be called on the
     * event loop of the stores. Never fails: what cannot be read is not shown.
     */
    Future<Void> refresh(Stores stores);

    /**
     * All meters. Reads small files of the system: not for an event loop.
     *
     * @param accept the header of the request, or null
     */
    Exposition write(String accept);

    /**
     * The exposition.
     *
     * @param type for the header Content-Type
     */
    record Exposition(String type, Buffer body) {}
  }
}
