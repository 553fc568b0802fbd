package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.TraceContext;
import java.util.Optional;

/** Reads a job's definition: when it starts, what it does, how often. */
final class DefinitionReader {
  private final Dialect dialect;
  private final ActionReader actions;
  private final RecurrenceReader recurrences;

  DefinitionReader(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.actions = new ActionReader(dialect, limits);
    this.recurrences = new RecurrenceReader(dialect);
  }

  JobDefinition read(JsonFields fields) {
    JsonFields action = fields.requiredObject("action");
    return new JobDefinition(
        fields.instant("startTime"),
        actions.read(action),
        actions.readErrorAction(action),
        fields.object("recurrence").map(recurrences::read),
        dialect == Dialect.STORED ? trace(fields) : Optional.empty());
  }

  /** Comes with the request, not in the document, and is kept beside it. */
  private static Optional<TraceContext> trace(JsonFields fields) {
    return fields
        .text(TraceContext.PARENT)
        .map(parent -> new TraceContext(parent, fields.text(TraceContext.STATE).orElse("")));
  }
}
