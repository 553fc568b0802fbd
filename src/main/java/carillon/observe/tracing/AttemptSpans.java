package carillon.observe.tracing;

import carillon.job.Attempt;
import io.opentelemetry.api.trace.SpanBuilder;

/** Says of a span which run it is about. */
final class AttemptSpans {
  private AttemptSpans() {}

  static void describe(SpanBuilder span, Attempt attempt) {
    span.setAttribute(SpanAttributes.JOB, attempt.job());
    span.setAttribute(SpanAttributes.EXECUTION, attempt.executionId());
    span.setAttribute(SpanAttributes.OCCURRENCE, (long) attempt.occurrence());
    span.setAttribute(SpanAttributes.ACTION, attempt.phase().word());
    span.setAttribute(SpanAttributes.ATTEMPT, (long) attempt.attempt());
  }
}
