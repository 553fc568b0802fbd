package carillon.observe.metrics;

import carillon.store.operation.ActivityCounts;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Factory of the kinds of meters that we use. Names begin with {@code carillon_}; Prometheus counts
 * in seconds.
 */
record MeterFactory(PrometheusRegistry registry) {
  /** Buckets for short operations: commands and requests. */
  static final double[] SHORT = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5
  };

  /** Buckets for operations that depend on other systems: calls. */
  static final double[] LONG = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  /** Buckets for meters with many labels. */
  static final double[] COARSE = {0.1, 0.5, 1, 5, 10, 30, 60, 300};

  /** Buckets for delays, which should be zero and can be hours. */
  static final double[] LATENESS =
      ActivityCounts.BOUNDS.stream().mapToDouble(Double::doubleValue).toArray();

  private static final double NANOS = 1e9;

  private static final String PREFIX = "carillon_";

  Counter counter(String name, String help, String... labels) {
    return Counter.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames(labels)
        .withoutExemplars()
        .register(registry);
  }

  Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name(PREFIX + name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(bounds)
        .withoutExemplars()
        .register(registry);
  }

  Gauge gauge(String name, String help) {
    return Gauge.builder().name(PREFIX + name).help(help).withoutExemplars().register(registry);
  }

  /**
   * Adds a gauge that gets its value when it is read. It has no value while that is {@code NaN}.
   */
  void gauge(String name, String help, DoubleSupplier value) {
    Consumer<GaugeWithCallback.Callback> read =
        callback -> {
          double now = value.getAsDouble();
          if (!Double.isNaN(now)) {
            callback.call(now);
          }
        };
    GaugeWithCallback.builder().name(PREFIX + name).help(help).callback(read).register(registry);
  }

  static double secondsBetween(Instant from, Instant to) {
    return seconds(Duration.between(from, to));
  }

  static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS;
  }

  /** Returns the seconds since an instant of {@link System#nanoTime}. */
  static double secondsSince(long nanos) {
    return seconds(System.nanoTime() - nanos);
  }

  static double seconds(long nanos) {
    return nanos / NANOS;
  }
}
