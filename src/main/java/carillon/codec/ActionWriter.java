package carillon.codec;

import carillon.job.Action;
import carillon.job.Call;
import carillon.job.HttpCall;
import carillon.job.RetryPolicy;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes what a job does, in the service's order of properties. */
final class ActionWriter {
  private ActionWriter() {}

  /** Writes the action's properties into the object at hand. */
  static void write(JsonGenerator json, Action action, Dialect dialect) throws IOException {
    String type = writeCall(json, action.call(), dialect);
    json.writeStringField("type", type);
    if (action.retryPolicy() != RetryPolicy.UNSPECIFIED) {
      writeRetryPolicy(json, action.retryPolicy(), dialect);
    }
  }

  /** The payload of one kind of action; returns the name of the kind. */
  private static String writeCall(JsonGenerator json, Call call, Dialect dialect)
      throws IOException {
    HttpCall http = (HttpCall) call;
    writeRequest(json, http, dialect);
    return type(http, dialect);
  }

  private static String type(HttpCall call, Dialect dialect) {
    if (dialect == Dialect.ARM) {
      return call.secureType() ? "Https" : "Http";
    }
    return call.secureType() ? "https" : "http";
  }

  private static void writeRequest(JsonGenerator json, HttpCall call, Dialect dialect)
      throws IOException {
    json.writeObjectFieldStart("request");
    json.writeStringField("uri", call.uri());
    json.writeStringField("method", call.method());
    if (!call.headers().isEmpty()) {
      DefinitionWriter.writeTexts(json, "headers", call.headers());
    }
    if (call.body().isPresent()) {
      json.writeStringField("body", call.body().get());
    }
    if (call.authentication().isPresent()) {
      json.writeFieldName("authentication");
      AuthenticationWriter.write(json, call.authentication().get(), dialect);
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
