package carillon.tracing;

import carillon.job.Run;
import io.opentelemetry.api.trace.SpanBuilder;
import java.util.Locale;

/** Says of a span which run it is about. */
final class Runs {
  private Runs() {}

  static void describe(SpanBuilder span, Run run) {
    span.setAttribute(Names.JOB, run.job());
    span.setAttribute(Names.EXECUTION, run.executionId());
    span.setAttribute(Names.OCCURRENCE, (long) run.occurrence());
    span.setAttribute(Names.ACTION, run.phase().name().toLowerCase(Locale.ROOT));
    span.setAttribute(Names.ATTEMPT, (long) run.attempt());
  }
}
