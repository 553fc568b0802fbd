package carillon.codec;

import carillon.job.JobDefinition;

/** Reads a job's definition: when it starts, what it does, how often. */
final class DefinitionReader {
  private final ActionReader actions;
  private final RecurrenceReader recurrences;

  DefinitionReader(Dialect dialect, Limits limits) {
    this.actions = new ActionReader(dialect, limits);
    this.recurrences = new RecurrenceReader(dialect);
  }

  JobDefinition read(Fields fields) {
    Fields action = fields.requiredObject("action");
    return new JobDefinition(
        fields.instant("startTime"),
        actions.read(action),
        actions.readErrorAction(action),
        fields.object("recurrence").map(recurrences::read));
  }
}
