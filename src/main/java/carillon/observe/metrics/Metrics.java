package carillon.observe.metrics;

import carillon.access.Visibility;
import carillon.api.admin.MetricsRoute.MetricsSource;
import carillon.api.http.ApiObserver;
import carillon.config.Settings.MetricsSettings;
import carillon.dispatch.call.DispatchObserver;
import carillon.job.attempt.HistoryEntry;
import carillon.redis.route.RedisObserver;
import carillon.store.Stores;
import carillon.store.operation.ActivityCounts;
import carillon.store.operation.DestinationCounts;
import carillon.timer.TimerObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongConsumer;
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
  private final DistributionDataPoint loopLag;
  private final BacklogMeters backlog;

  /** Observers that return traces. They receive no other events from here. */
  public record Traces(ApiObserver api, TimerObserver timer, DispatchObserver dispatch) {
    /** No traces. */
    public static final Traces NONE =
        new Traces(ApiObserver.NONE, TimerObserver.NONE, DispatchObserver.NONE);
  }

  /**
   * Creates meters without any counts.
   *
   * @param version of this program
   * @param settings of the section {@code metrics}
   * @param clock that determines what is due
   * @param nanos {@code System::nanoTime} outside tests
   * @param traces observers that return the traces of submissions, claims and attempts
   */
  public Metrics(
      String version,
      MetricsSettings settings,
      InstantSource clock,
      LongSupplier nanos,
      Traces traces) {
    MeterFactory meters = new MeterFactory(registry);
    Counter executions =
        meters.counter("executions_total", "Ended executions, by outcome.", "outcome");
    Counter refusals =
        meters.counter(
            "egress_refusals_total",
            "Targets refused by the egress policy, at a submission or at an attempt.",
            "at");
    Counter skipped =
        meters.counter(
            "skipped_occurrences_total",
            "Occurrences recorded as skipped, by their reason in the history.",
            "reason");
    redis = new RedisMeters(meters, skipped.labelValues(HistoryEntry.Reason.CHANGED.word()));
    CollectionMeters collections = new CollectionMeters(meters, settings.collections());
    timer = new TimerMeters(meters, executions, skipped, collections, traces.timer());
    dispatch =
        new DispatchMeters(
            meters, executions, refusals, settings.destinations(), collections, traces.dispatch());
    api = new ApiMeters(meters, refusals, traces.api());
    loopLag =
        meters
            .histogram(
                "event_loop_lag_seconds",
                "Delay of timers on the event loops. Each loop is measured four times a second.",
                MeterFactory.SHORT)
            .labelValues();
    backlog = new BacklogMeters(meters, clock, nanos);
    registerJvm(version);
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

  /** Returns the activity of this node since it started. */
  public ActivityCounts activity() {
    return dispatch.total();
  }

  /**
   * Returns the activity of this node at each destination, by host and port, since the last minute
   * was over.
   *
   * @param isMinuteOver whether the counts start again at zero
   */
  public Map<String, DestinationCounts> destinations(boolean isMinuteOver) {
    return dispatch.destinations(isMinuteOver);
  }

  public ApiObserver api() {
    return api;
  }

  /** Returns the consumer of the lag of each event loop, in nanoseconds. */
  public LongConsumer loops() {
    return nanos -> loopLag.observe(MeterFactory.seconds(nanos));
  }

  @Override
  public Future<Void> refresh(Stores stores) {
    return backlog.refresh(stores);
  }

  /** The text format of Prometheus, or OpenMetrics for who asks for it. */
  @Override
  public Exposition write(String accept, Visibility visible) {
    ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : text;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      MetricSnapshots all = registry.scrape();
      writer.write(bytes, visible.isAll() ? all : CollectionMeters.visible(all, visible));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Exposition(writer.getContentType(), Buffer.buffer(bytes.toByteArray()));
  }

  /** Meters of this program, its process and its JVM. */
  private void registerJvm(String version) {
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

  /** Meters of the connections to Redis. */
  private static final class RedisMeters implements RedisObserver {
    private final DistributionDataPoint commands;
    private final CounterDataPoint lost;
    private final CounterDataPoint restored;
    private final CounterDataPoint skipped;

    RedisMeters(MeterFactory meters, CounterDataPoint skipped) {
      this.skipped = skipped;
      commands =
          meters
              .histogram(
                  "redis_command_seconds",
                  "Time from sending a command to Redis to its answer.",
                  MeterFactory.SHORT)
              .labelValues();
      lost =
          meters
              .counter(
                  "redis_connections_lost_total",
                  "Lost connections to Redis. Includes those closed because the server hangs or is"
                      + " no master.")
              .labelValues();
      restored =
          meters.counter("redis_reconnects_total", "Restored connections to Redis.").labelValues();
    }

    @Override
    public void answered(long sentNanos) {
      commands.observe(MeterFactory.secondsSince(sentNanos));
    }

    @Override
    public void lost() {
      lost.inc();
    }

    @Override
    public void restored() {
      restored.inc();
    }

    @Override
    public void skipped(long occurrences) {
      skipped.inc(occurrences);
    }
  }
}
