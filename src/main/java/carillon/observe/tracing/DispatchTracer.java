package carillon.observe.tracing;

import carillon.dispatch.DispatchObserver;
import carillon.job.ActionCall;
import carillon.job.Attempt;
import carillon.job.Destination;
import carillon.job.HistoryEntry;
import carillon.job.HttpCall;
import carillon.job.TraceContext;
import carillon.job.TraceContext.TraceSpan;
import carillon.store.attempt.AttemptOutcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.util.Locale;
import java.util.Optional;

/**
 * An attempt is a span under that of its claim; the target is told of it. Of the address only host
 * and port are told: path and query may hold secrets.
 */
record DispatchTracer(Tracer tracer, DispatchObserver other) implements DispatchObserver {
  @Override
  public void finished(ActionCall call, AttemptOutcome outcome) {
    other.finished(call, outcome);
  }

  @Override
  public void lost() {
    other.lost();
  }

  @Override
  public void refused() {
    other.refused();
  }

  @Override
  public TraceSpan begins(Attempt attempt, ActionCall call, Optional<TraceContext> parent) {
    SpanBuilder builder = tracer.spanBuilder("attempt").setParent(SpanContexts.of(parent));
    builder.setSpanKind(call instanceof HttpCall ? SpanKind.CLIENT : SpanKind.PRODUCER);
    AttemptSpans.describe(builder, attempt);
    Destination destination = call.destination();
    builder.setAttribute(SpanAttributes.HOST, destination.host());
    if (destination.port() > 0) {
      builder.setAttribute(SpanAttributes.PORT, (long) destination.port());
    }
    if (call instanceof HttpCall http) {
      builder.setAttribute(SpanAttributes.METHOD, http.method().toUpperCase(Locale.ROOT));
    }
    Span span = builder.startSpan();
    return new Attempted(span, Tracing.context(span.getSpanContext(), parent));
  }

  private record Attempted(Span span, TraceContext traced) implements TraceSpan {
    @Override
    public Optional<TraceContext> context() {
      return Optional.of(traced);
    }

    @Override
    public void outcome(HistoryEntry.Status status) {
      span.setAttribute(SpanAttributes.OUTCOME, status.word());
      if (status == HistoryEntry.Status.FAILED) {
        span.setStatus(StatusCode.ERROR);
      }
    }

    @Override
    public void ended() {
      span.end();
    }
  }
}
