package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy;
import carillon.job.OccurrencePolicy.Catchup;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.StatusSet;
import carillon.json.action.ActionCodec;
import carillon.json.action.RetryPolicyCodec;
import carillon.json.action.StatusSetCodec;
import carillon.json.schedule.OccurrencePolicyCodec;
import carillon.json.text.Dialect;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;

/**
 * Settings of a deployment that apply to a job whose definition omits them.
 *
 * @param retry the retry policy
 * @param timeout of one attempt
 */
public record JobDefaults(RetryPolicy.Repeating retry, Duration timeout) {

  /** Writes the settings that apply because the definition omits them, in the same places. */
  void write(JsonGenerator json, JobDefinition definition) throws IOException {
    json.writeObjectFieldStart("defaults");
    json.writeObjectFieldStart("action");
    writeAction(json, definition.action());
    if (definition.errorAction().isPresent()) {
      json.writeObjectFieldStart(ActionCodec.ERROR_ACTION);
      writeAction(json, definition.errorAction().get());
      json.writeEndObject();
    }
    json.writeEndObject();
    writePolicy(json, definition);
    json.writeEndObject();
  }

  private void writeAction(JsonGenerator json, Action action) throws IOException {
    if (action.retryPolicy() == RetryPolicy.UNSPECIFIED) {
      json.writeFieldName(ActionCodec.RETRY_POLICY);
      RetryPolicyCodec.write(json, retry, Dialect.NATIVE);
    }
    if (action.timeout().isEmpty()) {
      JsonOut.writeDuration(json, ActionCodec.TIMEOUT, timeout, Dialect.NATIVE);
    }
    if (action.successOn().isEmpty() && action.call().kind() == ActionCall.Kind.HTTP) {
      StatusSetCodec.write(json, ActionCodec.SUCCESS_ON, StatusSet.SUCCESS);
    }
  }

  private static void writePolicy(JsonGenerator json, JobDefinition definition) throws IOException {
    OccurrencePolicy policy = definition.occurrences();
    if (definition.recurrence().isPresent() && policy.missed().isEmpty()) {
      json.writeObjectFieldStart(OccurrencePolicyCodec.MISSED);
      json.writeStringField("run", Catchup.LATEST.word());
      json.writeEndObject();
    }
    if (definition.recurrence().isPresent() && policy.overlap().isEmpty()) {
      json.writeStringField(OccurrencePolicyCodec.OVERLAP, OccurrencePolicyCodec.ALLOW_ALL);
    }
    if (policy.priority() == 0) {
      json.writeNumberField(OccurrencePolicyCodec.PRIORITY, 0);
    }
  }
}
