package carillon.observe;

import carillon.config.TracingSettings;
import carillon.observe.metrics.Metrics.Traces;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
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
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traces of one node, sent over OTLP/HTTP. Spans that cannot be sent are dropped: an unavailable
 * collector never holds up a job. Thread-safe.
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
  private final SpanRecorder spans;

  /**
   * Creates tracing without any spans.
   *
   * @param node that sends them
   * @param version of this program
   * @param instants clock of the spans, common to all nodes, so that a trace is in order
   */
  public Tracing(TracingSettings settings, String node, String version, InstantSource instants) {
    Clock clock = new TraceClock(instants);
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
    spans = new SpanRecorder(provider.get("carillon", version), clock);
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

  /** The observers that record spans. */
  Traces traces() {
    return new Traces(spans, spans, spans);
  }

  /** Sends the remaining spans, for a few seconds at most. Does not fail. */
  public Future<Void> stop() {
    Promise<Void> stopped = Promise.promise();
    CompletableResultCode end = provider.shutdown();
    end.whenComplete(stopped::tryComplete);
    return stopped.future().timeout(STOP_SECONDS, TimeUnit.SECONDS).otherwiseEmpty();
  }

  /** Clock of spans: the instants of the engine, which all nodes agree on. */
  private static final class TraceClock implements Clock {
    private final InstantSource instants;

    TraceClock(InstantSource instants) {
      this.instants = instants;
    }

    @Override
    public long now() {
      Instant now = instants.instant();
      return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    /** Durations are differences of the same clock. */
    @Override
    public long nanoTime() {
      return now();
    }
  }

  /**
   * Log handler that writes the library's warnings to our log, mainly about an unavailable
   * collector.
   */
  private static final class ExporterLogBridge extends Handler {
    private static final Logger LIBRARY =
        Logger.getLogger("io.opentelemetry"); // a strong reference, against garbage collection
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(Tracing.class);

    private ExporterLogBridge() {}

    /** Sends the library's log to ours instead of standard error; once for a program. */
    static synchronized void toLog() {
      if (LIBRARY.getUseParentHandlers()) {
        LIBRARY.setUseParentHandlers(false);
        LIBRARY.addHandler(new ExporterLogBridge());
      }
    }

    @Override
    public void publish(LogRecord complaint) {
      if (complaint.getLevel().intValue() >= Level.WARNING.intValue()) {
        LOG.atWarn()
            .addKeyValue("error", complaint.getMessage())
            .log("cannot send traces; they are dropped");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
