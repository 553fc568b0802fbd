package carillon.observe.tracing;

import carillon.job.Attempt;
import carillon.job.JobDefinition;
import carillon.job.TraceContext;
import carillon.timer.TimerObserver;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A claim is a span in the trace of the job's submission, from the claim to the call. */
record TimerTracer(Tracer tracer, Clock clock, TimerObserver other) implements TimerObserver {
  @Override
  public void claimed(int attempts) {
    other.claimed(attempts);
  }

  @Override
  public void putOff() {
    other.putOff();
  }

  @Override
  public void skipped(long occurrences) {
    other.skipped(occurrences);
  }

  @Override
  public void givenUp() {
    other.givenUp();
  }

  @Override
  public void recovered(int claims) {
    other.recovered(claims);
  }

  @Override
  public void held(int attempts, int waiting) {
    other.held(attempts, waiting);
  }

  @Override
  public JobDefinition handsOut(Attempt attempt, JobDefinition definition, long sinceMillis) {
    SpanBuilder builder =
        tracer
            .spanBuilder("claim")
            .setParent(SpanContexts.of(definition.trace()))
            .setStartTimestamp(sinceMillis, TimeUnit.MILLISECONDS)
            .setAttribute(SpanAttributes.LATENESS, sinceMillis - attempt.dueAt().toEpochMilli());
    AttemptSpans.describe(builder, attempt);
    Span span = builder.startSpan();
    span.end(clock.now(), TimeUnit.NANOSECONDS);
    TraceContext context = Tracing.context(span.getSpanContext(), definition.trace());
    return other.handsOut(attempt, definition.withTrace(Optional.of(context)), sinceMillis);
  }
}
