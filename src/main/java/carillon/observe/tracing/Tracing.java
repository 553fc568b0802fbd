package carillon.observe.tracing;

import carillon.api.http.ApiObserver;
import carillon.config.TracingSettings;
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
import java.time.Duration;
import java.time.InstantSource;
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
   * Begins nothing yet.
   *
   * @param node that sends them
   * @param version of this program
   * @param instants that spans are told at: those of all nodes, so that a trace is in order
   */
  public Tracing(TracingSettings settings, String node, String version, InstantSource instants) {
    clock = new SpanClock(instants);
    provider =
        SdkTracerProvider.builder()
            .setClock(clock)
            .setResource(resource(node, version))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(1.0 / settings.oneIn())))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter(settings))
                    .setScheduleDelay(BATCH)
                    .setExporterTimeout(settings.timeout())
                    .build())
            .build();
    tracer = provider.get("carillon", version);
    ExporterLogBridge.toLog();
  }

  private static Resource resource(String node, String version) {
    return Resource.getDefault()
        .merge(
            Resource.create(
                Attributes.of(
                    AttributeKey.stringKey("service.name"), "carillon",
                    AttributeKey.stringKey("service.version"), version,
                    AttributeKey.stringKey("service.instance.id"), node)));
  }

  private static OtlpHttpSpanExporter exporter(TracingSettings settings) {
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(settings.endpoint())
            .setTimeout(settings.timeout())
            .setRetryPolicy(ONCE_MORE);
    for (String header : settings.headers()) {
      int equals = header.indexOf('=');
      exporter.addHeader(header.substring(0, equals), header.substring(equals + 1));
    }
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
