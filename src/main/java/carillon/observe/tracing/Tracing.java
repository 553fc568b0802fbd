package carillon.observe.tracing;

import carillon.api.http.ApiObserver;
import carillon.dispatch.DispatchObserver;
import carillon.job.TraceContext;
import carillon.timer.TimerObserver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The traces of one node, sent over OTLP/HTTP. What cannot be sent is dropped: a collector that is
 * away never holds up a job. Thread-safe.
 */
public final class Tracing {
  private static final Duration BATCH = Duration.ofSeconds(1);
  private static final long STOP_SECONDS = 5;

  /** A stop does not wait long for a collector that is away. */
  private static final RetryPolicy ONCE_MORE =
      RetryPolicy.builder()
          .setMaxAttempts(2)
          .setInitialBackoff(Duration.ofMillis(200))
          .setMaxBackoff(Duration.ofMillis(200))
          .build();

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Clock clock;

  /**
   * Where traces go, and who sends them.
   *
   * @param endpoint of the collector, such as {@code http://127.0.0.1:4318/v1/traces}
   * @param headers sent with each request; may hold secrets
   * @param oneIn of the traces that begin here one in so many is recorded
   * @param timeout of a request to the collector
   */
  public record Config(
      URI endpoint,
      Map<String, String> headers,
      int oneIn,
      Duration timeout,
      String node,
      String version) {
    public Config {
      headers = Map.copyOf(headers);
    }

    /** Names the endpoint only. */
    @Override
    public String toString() {
      return "Tracing[" + endpoint.getHost() + "]";
    }
  }

  /**
   * Begins nothing yet.
   *
   * @param instants that spans are told at: those of all nodes, so that a trace is in order
   */
  public Tracing(Config config, InstantSource instants) {
    clock = new SpanClock(instants);
    provider =
        SdkTracerProvider.builder()
            .setClock(clock)
            .setResource(resource(config))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(1.0 / config.oneIn())))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter(config))
                    .setScheduleDelay(BATCH)
                    .setExporterTimeout(config.timeout())
                    .build())
            .build();
    tracer = provider.get("carillon", config.version());
    ExporterLogBridge.toLog();
  }

  private static Resource resource(Config config) {
    return Resource.getDefault()
        .merge(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"), "carillon",
                    AttributeKey.stringKey("service.version"), config.version(),
                    AttributeKey.stringKey("service.instance.id"), config.node())));
  }

  private static OtlpHttpSpanExporter exporter(Config config) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(config.endpoint().toString())
            .setTimeout(config.timeout())
            .setRetryPolicy(ONCE_MORE);
    config.headers().forEach(exporter::addHeader);
    return exporter.build();
  }

  /** Traces submissions, and tells the other everything. */
  public ApiObserver over(ApiObserver other) {
    return new ApiTracer(tracer, other);
  }

  /** Traces claims, and tells the other everything. */
  public TimerObserver over(TimerObserver other) {
    return new TimerTracer(tracer, clock, other);
  }

  /** Traces attempts, and tells the other everything. */
  public DispatchObserver over(DispatchObserver other) {
    return new DispatchTracer(tracer, other);
  }

  /** Sends what is left, for a few seconds at most. Does not fail. */
  public Future<Void> stop() {
    Promise<Void> stopped = Promise.promise();
    CompletableResultCode end = provider.shutdown();
    end.whenComplete(stopped::tryComplete);
    return stopped.future().timeout(STOP_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
  }

  /** The context of a span as jobs and requests carry it. */
  static TraceContext context(
      io.opentelemetry.api.trace.SpanContext span, Optional<TraceContext> parent) {
    return new TraceContext(
        "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex(),
        parent.map(TraceContext::state).orElse(""));
  }
}
