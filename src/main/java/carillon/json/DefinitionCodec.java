package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.TraceContext;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;

/**
 * Codec of a job's definition: when it starts, what it does, how often. What is absent is left out.
 */
final class DefinitionCodec {
  private final Dialect dialect;
  private final ActionCodec actions;
  private final RecurrenceCodec recurrences;

  DefinitionCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.actions = new ActionCodec(dialect, limits);
    this.recurrences = new RecurrenceCodec(dialect);
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

  /** Writes the definition as one object. */
  static void write(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    json.writeStartObject();
    writeFields(json, definition, dialect);
    json.writeEndObject();
  }

  /** Writes the definition's properties into the object at hand. */
  static void writeFields(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    JsonOut.writeInstant(json, "startTime", definition.startTime());
    json.writeObjectFieldStart("action");
    ActionCodec.write(json, definition.action(), dialect);
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart("errorAction");
      ActionCodec.write(json, definition.errorAction().get(), dialect);
      json.writeEndObject();
    }
    json.writeEndObject();
    if (definition.recurrence().isPresent()) {
      json.writeFieldName("recurrence");
      RecurrenceCodec.write(json, definition.recurrence().get());
    }
    if (dialect == Dialect.STORED && definition.trace().isPresent()) {
      writeTrace(json, definition.trace().get());
    }
  }

  private static void writeTrace(JsonGenerator json, TraceContext trace) throws IOException {
    json.writeStringField(TraceContext.PARENT, trace.parent());
    if (!trace.state().isEmpty()) {
      json.writeStringField(TraceContext.STATE, trace.state());
    }
  }
}
