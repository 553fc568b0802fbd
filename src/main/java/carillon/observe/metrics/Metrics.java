package carillon.observe.metrics;

import carillon.api.admin.MetricsSource;
import carillon.api.http.ApiObserver;
import carillon.dispatch.DispatchObserver;
import carillon.redis.RedisObserver;
import carillon.store.Stores;
import carillon.store.operation.ActivityCounts;
import carillon.timer.TimerObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** All meters of one node. Thread-safe. */
public final class Metrics implements MetricsSource {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
  private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
  private final RedisMeters redis;
  private final TimerMeters timer;
  private final DispatchMeters dispatch;
  private final ApiMeters api;
  private final LoopMeters loops;
  private final BacklogMeters backlog;

  /**
   * Meters that have counted nothing yet.
   *
   * @param version of this program
   * @param destinations that get a label of their own, at most
   * @param clock that says what is due
   * @param nanos {@code System::nanoTime} outside tests
   */
  public Metrics(String version, int destinations, InstantSource clock, LongSupplier nanos) {
    MeterFactory meters = new MeterFactory(registry);
    Counter executions =
        meters.counter("executions_total", "Executions that ended, by outcome.", "outcome");
    Counter refusals =
        meters.counter(
            "egress_refusals_total",
            "Targets that the egress policy refused, at a submission or at an attempt.",
            "at");
    CounterDataPoint skipped =
        meters
            .counter(
                "skipped_occurrences_total",
                "Occurrences recorded as skipped: missed, in a disabled collection, or of a job"
                    + " that was changed.")
            .labelValues();
    redis = new RedisMeters(meters, skipped);
    timer = new TimerMeters(meters, executions.labelValues("faulted"), skipped);
    dispatch = new DispatchMeters(meters, executions, refusals, destinations);
    api = new ApiMeters(meters, refusals);
    loops = new LoopMeters(meters);
    backlog = new BacklogMeters(meters, clock, nanos);
    JvmMeters.register(registry, version);
  }

  public RedisObserver redis() {
    return redis;
  }

  public TimerObserver timer() {
    return timer;
  }

  public DispatchObserver dispatch() {
    return dispatch;
  }

  /** What this node has done since it started. */
  public ActivityCounts activity() {
    return dispatch.total();
  }

  public ApiObserver api() {
    return api;
  }

  /** Told by how much each event loop is behind. */
  public LoopMeters loops() {
    return loops;
  }

  @Override
  public Future<Void> refresh(Stores stores) {
    return backlog.refresh(stores);
  }

  /** The text format of Prometheus, or OpenMetrics for who asks for it. */
  @Override
  public Text write(String accept) {
    ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : text;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Text(writer.getContentType(), Buffer.buffer(bytes.toByteArray()));
  }
}
