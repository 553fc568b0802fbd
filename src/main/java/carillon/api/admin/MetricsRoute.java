package carillon.api.admin;

import carillon.access.Caller;
import carillon.access.Visibility;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.api.http.RoutePermission;
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

  /**
   * Answers the meters. Leaves out values that Redis does not return in time. A caller who may read
   * only some collections gets the meters of these alone.
   */
  public Future<ApiResponse> metrics(ApiRequest request) {
    MetricsSource shown =
        exposition.orElseThrow(
            () -> HttpException.notFound("/metrics (the setting metrics.enabled is false)"));
    String accept = request.http().getHeader(HttpHeaders.ACCEPT);
    boolean isOpen = request.path().route().permission() == RoutePermission.OPEN;
    Visibility visible = (isOpen ? Caller.ANONYMOUS : request.caller()).visibility();
    return shown
        .refresh(stores)
        .compose(fresh -> vertx.executeBlocking(() -> shown.write(accept, visible), false))
        .map(text -> new ApiResponse(200, text.body(), Map.of("Content-Type", text.type())));
  }

  /** Source of {@code /metrics}. */
  public interface MetricsSource {
    /**
     * Reads the values of Redis, unless they were read recently. Runs on the event loop of the
     * stores. Never fails: unreadable values are left out.
     */
    Future<Void> refresh(Stores stores);

    /**
     * Writes the meters. Reads small files of the system: not for an event loop.
     *
     * @param accept the header of the request, or null
     * @param visible collections whose meters are written; all meters if it covers everything
     */
    Exposition write(String accept, Visibility visible);

    /**
     * The exposition.
     *
     * @param type for the header Content-Type
     */
    record Exposition(String type, Buffer body) {}
  }
}
