package carillon.node;

import carillon.api.admin.MetricsSource;
import carillon.api.http.ApiObserver;
import carillon.config.Settings;
import carillon.config.Settings.MetricsSettings;
import carillon.config.TracingSettings;
import carillon.dispatch.DispatchObserver;
import carillon.observe.metrics.Metrics;
import carillon.observe.tracing.Tracing;
import carillon.redis.RedisObserver;
import carillon.timer.TimerObserver;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;

/** Who is told what happens in a node: its meters and its traces, where they are asked for. */
record Telemetry(Optional<Metrics> metrics, Optional<Tracing> tracing) {

  /** Begins nothing yet. */
  static Telemetry of(Settings settings, String node, InstantSource clock) {
    return new Telemetry(
        metrics(settings.metrics(), clock), tracing(settings.tracing(), node, clock));
  }

  private static Optional<Metrics> metrics(MetricsSettings settings, InstantSource clock) {
    return settings.enabled()
        ? Optional.of(
            new Metrics(Version.current(), settings.destinations(), clock, System::nanoTime))
        : Optional.empty();
  }

  /** Nothing of the library is even loaded where nothing is traced. */
  private static Optional<Tracing> tracing(
      TracingSettings settings, String node, InstantSource clock) {
    return settings.isOn()
        ? Optional.of(new Tracing(settings, node, Version.current(), clock))
        : Optional.empty();
  }

  ApiObserver api() {
    return traced(metrics.map(Metrics::api).orElse(ApiObserver.NONE), Tracing::over);
  }

  DispatchObserver dispatch() {
    return traced(metrics.map(Metrics::dispatch).orElse(DispatchObserver.NONE), Tracing::over);
  }

  TimerObserver timer() {
    return traced(metrics.map(Metrics::timer).orElse(TimerObserver.NONE), Tracing::over);
  }

  RedisObserver redis() {
    return metrics.map(Metrics::redis).orElse(RedisObserver.NONE);
  }

  /** Told the lag of each event loop, nanoseconds. */
  LongConsumer loops() {
    return metrics.<LongConsumer>map(Metrics::loops).orElse(lag -> {});
  }

  /** What there is to show at {@code /metrics}. */
  Optional<MetricsSource> exposition() {
    return metrics.map(MetricsSource.class::cast);
  }

  private <T> T traced(T observer, BiFunction<Tracing, T, T> over) {
    return tracing.map(on -> over.apply(on, observer)).orElse(observer);
  }

  /** Sends the traces that are left. Does not fail. */
  Future<Void> stop() {
    return tracing.map(Tracing::stop).orElse(Future.succeededFuture());
  }
}
