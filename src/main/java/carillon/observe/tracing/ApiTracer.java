package carillon.observe.tracing;

import carillon.api.http.ApiObserver;
import carillon.job.JobName;
import carillon.job.TraceContext;
import carillon.job.TraceContext.TraceSpan;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.util.Optional;

/** A submission is a span of the client's trace, or begins one. */
record ApiTracer(Tracer tracer, ApiObserver other) implements ApiObserver {
  private static final int SERVER_ERROR = 500;

  @Override
  public void answered(
      String dialect, String resource, String method, int status, long begunNanos) {
    other.answered(dialect, resource, method, status, begunNanos);
  }

  @Override
  public void refusedTarget() {
    other.refusedTarget();
  }

  @Override
  public TraceSpan submits(
      String dialect, String method, JobName job, Optional<TraceContext> parent) {
    Span span =
        tracer
            .spanBuilder("submit")
            .setParent(SpanContexts.of(parent))
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(SpanAttributes.DIALECT, dialect)
            .setAttribute(SpanAttributes.METHOD, method)
            .setAttribute(SpanAttributes.JOB, job.key())
            .startSpan();
    TraceContext context = Tracing.context(span.getSpanContext(), parent);
    return new TraceSpan() {
      @Override
      public Optional<TraceContext> context() {
        return Optional.of(context);
      }

      @Override
      public void status(int status) {
        span.setAttribute(SpanAttributes.STATUS, (long) status);
        if (status >= SERVER_ERROR) {
          span.setStatus(StatusCode.ERROR);
        }
      }

      @Override
      public void ended() {
        span.end();
      }
    };
  }
}
