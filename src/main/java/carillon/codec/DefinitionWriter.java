package carillon.codec;

import carillon.job.Action;
import carillon.job.HttpCall;
import carillon.job.JobDefinition;
import carillon.job.RetryPolicy;
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
    writeAction(json, definition.action(), dialect);
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart("errorAction");
      writeAction(json, definition.errorAction().get(), dialect);
      json.writeEndObject();
    }
    json.writeEndObject();
    if (definition.recurrence().isPresent()) {
      json.writeFieldName("recurrence");
      RecurrenceWriter.write(json, definition.recurrence().get());
    }
  }

  static void writeInstant(JsonGenerator json, String name, Optional<Instant> instant)
      throws IOException {
    if (instant.isPresent()) {
      json.writeStringField(name, Timestamps.format(instant.get()));
    }
  }

  private static void writeAction(JsonGenerator json, Action action, Dialect dialect)
      throws IOException {
    HttpCall call = (HttpCall) action.call();
    writeRequest(json, call);
    json.writeStringField("type", type(call, dialect));
    if (action.retryPolicy() != RetryPolicy.UNSPECIFIED) {
      writeRetryPolicy(json, action.retryPolicy(), dialect);
    }
  }

  private static String type(HttpCall call, Dialect dialect) {
    if (dialect == Dialect.ARM) {
      return call.secureType() ? "Https" : "Http";
    }
    return call.secureType() ? "https" : "http";
  }

  private static void writeRequest(JsonGenerator json, HttpCall call) throws IOException {
    json.writeObjectFieldStart("request");
    json.writeStringField("uri", call.uri());
    json.writeStringField("method", call.method());
    if (!call.headers().isEmpty()) {
      writeTexts(json, "headers", call.headers());
    }
    if (call.body().isPresent()) {
      json.writeStringField("body", call.body().get());
    }
    json.writeEndObject();
  }

  static void writeTexts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }

  private static void writeRetryPolicy(JsonGenerator json, RetryPolicy policy, Dialect dialect)
      throws IOException {
    json.writeObjectFieldStart("retryPolicy");
    if (policy instanceof RetryPolicy.Fixed fixed) {
      boolean isTimeSpan = dialect == Dialect.ARM;
      json.writeStringField("retryType", "fixed");
      json.writeStringField(
          "retryInterval",
          isTimeSpan ? TimeSpans.timeSpan(fixed.interval()) : fixed.interval().toString());
      json.writeNumberField("retryCount", fixed.count());
    } else {
      json.writeStringField("retryType", "none");
    }
    json.writeEndObject();
  }
}
