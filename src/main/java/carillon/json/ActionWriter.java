package carillon.json;

import carillon.job.Action;
import carillon.job.ActionCall;
import carillon.job.HttpCall;
import carillon.job.RetryPolicy;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;

/** Writes what a job does, in the service's order of properties. */
final class ActionWriter {
  private ActionWriter() {}

  /** Writes the action's properties into the object at hand. */
  static void write(JsonGenerator json, Action action, Dialect dialect) throws IOException {
    ActionType type = writeCall(json, action.call(), dialect);
    json.writeStringField("type", type.word(dialect));
    if (action.retryPolicy() != RetryPolicy.UNSPECIFIED) {
      writeRetryPolicy(json, action.retryPolicy(), dialect);
    }
  }

  /** The payload of one kind of action; returns the kind. */
  private static ActionType writeCall(JsonGenerator json, ActionCall call, Dialect dialect)
      throws IOException {
    if (call instanceof HttpCall http) {
      writeRequest(json, http, dialect);
      return http.secureType() ? ActionType.HTTPS : ActionType.HTTP;
    }
    return QueueWriter.write(json, call, dialect);
  }

  private static void writeRequest(JsonGenerator json, HttpCall given, Dialect dialect)
      throws IOException {
    HttpCall call = dialect == Dialect.STORED ? given : given.masked();
    json.writeObjectFieldStart("request");
    json.writeStringField("uri", call.uri());
    json.writeStringField("method", call.method());
    if (!call.headers().isEmpty()) {
      boolean camel = dialect == Dialect.CLASSIC;
      DefinitionWriter.writeTexts(
          json, "headers", camel ? JsonNetCamelCase.keysOf(call.headers()) : call.headers());
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
    if (policy instanceof RetryPolicy.Repeating repeating) {
      writeRepeating(json, repeating, dialect);
    } else {
      json.writeStringField("retryType", "none");
    }
    json.writeEndObject();
  }

  private static void writeRepeating(
      JsonGenerator json, RetryPolicy.Repeating policy, Dialect dialect) throws IOException {
    boolean grows = policy instanceof RetryPolicy.Exponential;
    json.writeStringField("retryType", grows ? "exponential" : "fixed");
    writeDuration(json, "retryInterval", policy.interval(), dialect);
    json.writeNumberField("retryCount", policy.count());
    if (policy instanceof RetryPolicy.Exponential exponential) {
      writeNumber(json, "retryFactor", exponential.factor());
      writeDuration(json, "retryMaxInterval", exponential.maxInterval(), dialect);
      writeNumber(json, "retryJitter", exponential.jitter());
    }
    if (policy.maxDuration().isPresent()) {
      writeDuration(json, "retryMaxDuration", policy.maxDuration().get(), dialect);
    }
  }

  /** A whole number without a fraction, as clients are likely to have sent it. */
  private static void writeNumber(JsonGenerator json, String name, double number)
      throws IOException {
    if (number == Math.rint(number)) {
      json.writeNumberField(name, (long) number);
    } else {
      json.writeNumberField(name, number);
    }
  }

  private static void writeDuration(
      JsonGenerator json, String name, Duration duration, Dialect dialect) throws IOException {
    json.writeStringField(
        name, dialect == Dialect.ARM ? DurationFormats.timeSpan(duration) : duration.toString());
  }
}
