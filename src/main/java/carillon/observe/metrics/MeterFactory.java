package carillon.observe.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** Makes meters of the kinds that we use. Names begin with {@code carillon_}. */
record MeterFactory(PrometheusRegistry registry) {
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

  /** A gauge that is asked when it is read; it has no value while that is {@code NaN}. */
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
}
