package carillon.observe;

import carillon.api.http.ApiObserver;
import carillon.dispatch.call.DispatchObserver;
import carillon.job.JobDefinition;
import carillon.job.action.ActionCall;
import carillon.job.action.Destination;
import carillon.job.action.HttpCall;
import carillon.job.action.TraceContext;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobName;
import carillon.timer.TimerObserver;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Observer that records spans. The submission of a job is a span of the client's trace, or begins a
 * trace. A claim is a span under it, from the claim to the call. An attempt is a span under that of
 * its claim, and is passed on to its target. Of an address only host and port are recorded: path
 * and query may hold secrets. Thread-safe.
 */
record SpanRecorder(Tracer tracer, Clock clock)
    implements ApiObserver, TimerObserver, DispatchObserver {
  // Names of OpenTelemetry if it defines them, else our own.
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final AttributeKey<String> HOST = AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> DIALECT = AttributeKey.stringKey("carillon.dialect");
  private static final AttributeKey<String> JOB = AttributeKey.stringKey("carillon.job");
  private static final AttributeKey<String> EXECUTION =
      AttributeKey.stringKey("carillon.execution");
  private static final AttributeKey<Long> OCCURRENCE = AttributeKey.longKey("carillon.occurrence");
  private static final AttributeKey<String> ACTION = AttributeKey.stringKey("carillon.action");
  private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("carillon.attempt");
  private static final AttributeKey<Long> LATENESS = AttributeKey.longKey("carillon.lateness_ms");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("carillon.outcome");

  // The fixed places in the text of a traceparent.
  private static final int TRACE_AT = 3;
  private static final int SPAN_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final int END_AT = 55;

  private static final int SERVER_ERROR = 500;

  @Override
  public TraceSpan submits(
      String dialect, String method, JobName job, Optional<TraceContext> parent) {
    Span span =
        tracer
            .spanBuilder("submit")
            .setParent(contextOf(parent))
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(DIALECT, dialect)
            .setAttribute(METHOD, method)
            .setAttribute(JOB, job.key())
            .startSpan();
    return new RecordedSpan(span, context(span.getSpanContext(), parent));
  }

  @Override
  public JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    SpanBuilder builder =
        tracer
            .spanBuilder("claim")
            .setParent(contextOf(definition.trace()))
            .setStartTimestamp(sinceMillis, TimeUnit.MILLISECONDS)
            .setAttribute(LATENESS, sinceMillis - attempt.dueAt().toEpochMilli());
    describe(builder, attempt);
    Span span = builder.startSpan();
    span.end(clock.now(), TimeUnit.NANOSECONDS);
    TraceContext context = context(span.getSpanContext(), definition.trace());
    return definition.withTrace(Optional.of(context));
  }

  @Override
  public TraceSpan begins(Attempt attempt, ActionCall call, Optional<TraceContext> parent) {
    SpanBuilder builder = tracer.spanBuilder("attempt").setParent(contextOf(parent));
    builder.setSpanKind(call instanceof HttpCall ? SpanKind.CLIENT : SpanKind.PRODUCER);
    describe(builder, attempt);
    Destination destination = call.destination();
    builder.setAttribute(HOST, destination.host());
    if (destination.port() > 0) {
      builder.setAttribute(PORT, (long) destination.port());
    }
    if (call instanceof HttpCall http) {
      builder.setAttribute(METHOD, http.method().toUpperCase(Locale.ROOT));
    }
    Span span = builder.startSpan();
    return new RecordedSpan(span, context(span.getSpanContext(), parent));
  }

  /** Span that records the outcome of its work. */
  private record RecordedSpan(Span span, TraceContext traced) implements TraceSpan {
    @Override
    public Optional<TraceContext> context() {
      return Optional.of(traced);
    }

    @Override
    public void status(int status) {
      span.setAttribute(STATUS, (long) status);
      if (status >= SERVER_ERROR) {
        span.setStatus(StatusCode.ERROR);
      }
    }

    @Override
    public void outcome(HistoryEntry.Status status) {
      span.setAttribute(OUTCOME, status.word());
      if (status == HistoryEntry.Status.FAILED) {
        span.setStatus(StatusCode.ERROR);
      }
    }

    @Override
    public void ended() {
      span.end();
    }
  }

  private static void describe(SpanBuilder span, Attempt attempt) {
    span.setAttribute(JOB, attempt.job());
    span.setAttribute(EXECUTION, attempt.executionId());
    span.setAttribute(OCCURRENCE, (long) attempt.occurrence());
    span.setAttribute(ACTION, attempt.phase().word());
    span.setAttribute(ATTEMPT, (long) attempt.number());
  }

  /**
   * Returns the context of the parent, never that of the thread: event loops switch between jobs.
   */
  private static Context contextOf(Optional<TraceContext> parent) {
    return parent
        .map(trace -> Context.root().with(Span.wrap(remote(trace.parent()))))
        .orElse(Context.root());
  }

  /** Reads a {@code traceparent}, which was checked on arrival, by its fixed positions. */
  private static SpanContext remote(String text) {
    return SpanContext.createFromRemoteParent(
        text.substring(TRACE_AT, SPAN_AT - 1),
        text.substring(SPAN_AT, FLAGS_AT - 1),
        TraceFlags.fromHex(text.substring(FLAGS_AT, END_AT), 0),
        TraceState.getDefault());
  }

  /** The context of a span as jobs and requests carry it. */
  private static TraceContext context(SpanContext span, Optional<TraceContext> parent) {
    return new TraceContext(
        "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex(),
        parent.map(TraceContext::state).orElse(""));
  }
}
