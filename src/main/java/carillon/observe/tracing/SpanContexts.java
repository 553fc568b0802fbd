package carillon.observe.tracing;

import carillon.job.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Optional;

/** Spans of other processes, by what is known of them. */
final class SpanContexts {
  private static final int TRACE = 3;
  private static final int SPAN = 36;
  private static final int FLAGS = 53;
  private static final int END = 55;

  private SpanContexts() {}

  /** Never the thread's own: event loops go from one job to another. */
  static Context of(Optional<TraceContext> parent) {
    return parent
        .map(trace -> Context.root().with(Span.wrap(remote(trace.parent()))))
        .orElse(Context.root());
  }

  /** By the fixed places of {@code traceparent}, which was checked when it came. */
  private static SpanContext remote(String text) {
    return SpanContext.createFromRemoteParent(
        text.substring(TRACE, SPAN - 1),
        text.substring(SPAN, FLAGS - 1),
        TraceFlags.fromHex(text.substring(FLAGS, END), 0),
        TraceState.getDefault());
  }
}
