package carillon.observe;

import carillon.api.admin.MetricsRoute.MetricsSource;
import carillon.api.http.ApiObserver;
import carillon.config.Settings;
import carillon.config.Settings.MetricsSettings;
import carillon.config.TracingSettings;
import carillon.dispatch.call.DispatchObserver;
import carillon.observe.metrics.Metrics;
import carillon.observe.metrics.Metrics.Traces;
import carillon.redis.route.RedisObserver;
import carillon.timer.TimerObserver;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Telemetry of a node: meters and traces, where the settings ask for them, and the lag of its event
 * loops. Thread-safe.
 */
public record Telemetry(
    Optional<Metrics> metrics, Optional<Tracing> tracing, Traces traces, EventLoopLag loops) {

  /**
   * Begins nothing yet.
   *
   * @param node id of this node
   * @param version of this program
   * @param clock that all nodes agree on
   */
  public static Telemetry of(Settings settings, String node, String version, InstantSource clock) {
    Optional<Tracing> tracing = tracing(settings.tracing(), node, version, clock);
    Traces traces = tracing.isPresent() ? tracing.get().traces() : Traces.NONE;
    Optional<Metrics> metrics = metrics(settings.metrics(), version, clock, traces);
    EventLoopLag loops =
        new EventLoopLag(System::nanoTime, metrics.map(Metrics::loops).orElse(lag -> {}));
    return new Telemetry(metrics, tracing, traces, loops);
  }

  /** Returns tracing, if it is on; otherwise the library is not even loaded. */
  private static Optional<Tracing> tracing(
      TracingSettings settings, String node, String version, InstantSource clock) {
    return settings.isOn()
        ? Optional.of(new Tracing(settings, node, version, clock))
        : Optional.empty();
  }

  private static Optional<Metrics> metrics(
      MetricsSettings settings, String version, InstantSource clock, Traces traces) {
    return settings.enabled()
        ? Optional.of(new Metrics(version, settings, clock, System::nanoTime, traces))
        : Optional.empty();
  }

  /** Returns the observer of the API. */
  public ApiObserver api() {
    return metrics.map(Metrics::api).orElse(traces.api());
  }

  /** Returns the observer of attempts. */
  public DispatchObserver dispatch() {
    return metrics.map(Metrics::dispatch).orElse(traces.dispatch());
  }

  /** Returns the observer of the timer. */
  public TimerObserver timer() {
    return metrics.map(Metrics::timer).orElse(traces.timer());
  }

  /** Returns the observer of the connections to Redis. */
  public RedisObserver redis() {
    return metrics.map(Metrics::redis).orElse(RedisObserver.NONE);
  }

  /** Returns the source of {@code /metrics}, if metrics are on. */
  public Optional<MetricsSource> exposition() {
    return metrics.map(MetricsSource.class::cast);
  }

  /** Sends the traces that are left. Does not fail. */
  public Future<Void> stop() {
    return tracing.map(Tracing::stop).orElse(Future.succeededFuture());
  }
}
