package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.Secret;
import carillon.job.TraceContext;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Writes job definitions, in the service's order of properties. What is absent is left out. */
final class DefinitionWriter {
  private DefinitionWriter() {}

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
    writeInstant(json, "startTime", definition.startTime());
    json.writeObjectFieldStart("action");
    ActionWriter.write(json, definition.action(), dialect);
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart("errorAction");
      ActionWriter.write(json, definition.errorAction().get(), dialect);
      json.writeEndObject();
    }
    json.writeEndObject();
    if (definition.recurrence().isPresent()) {
      json.writeFieldName("recurrence");
      RecurrenceWriter.write(json, definition.recurrence().get());
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

  static void writeInstant(JsonGenerator json, String name, Optional<Instant> instant)
      throws IOException {
    if (instant.isPresent()) {
      json.writeStringField(name, Timestamps.format(instant.get()));
    }
  }

  /** Secrets stand in the stored form only, and those that are to be kept nowhere. */
  static void writeSecret(JsonGenerator json, String name, Secret secret, Dialect dialect)
      throws IOException {
    if (dialect == Dialect.STORED && !secret.isKept()) {
      json.writeStringField(name, secret.text());
    }
  }

  static void writeTexts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }
}
