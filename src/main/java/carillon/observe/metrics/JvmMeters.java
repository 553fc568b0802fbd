package carillon.observe.metrics;

import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** This program, its process and its JVM. */
final class JvmMeters {
  private JvmMeters() {}

  static void register(PrometheusRegistry registry, String version) {
    Info build =
        Info.builder()
            .name("carillon_build_info")
            .help("Version of this program.")
            .labelNames("version")
            .register(registry);
    build.addLabelValues(version);
    ProcessMetrics.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmThreadsMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
  }
}
