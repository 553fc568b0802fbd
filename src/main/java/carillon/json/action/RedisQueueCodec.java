package carillon.json.action;

import carillon.job.action.ActionCall;
import carillon.job.action.RedisListCall;
import carillon.job.action.RedisStreamCall;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Codec of actions that add to a stream or a list in Redis. */
final class RedisQueueCodec {
  private static final Set<String> STREAM =
      Set.of("stream", "message", "fields", "maxLength", PlaceholderRules.PLACEHOLDERS);
  private static final Set<String> LIST =
      Set.of("list", "message", "side", "maxLength", PlaceholderRules.PLACEHOLDERS);
  private static final EnumNames<RedisListCall.Side> SIDES = EnumNames.of(RedisListCall.Side.class);

  /**
   * Form of names. Braces are refused, because they would choose another hash slot than that of the
   * key.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}");

  private static final String NAME_RULE =
      "must begin with a letter or digit and hold only letters, digits, '_', '.', ':' and '-', 128"
          + " at most";
  private static final int MAX_LENGTH_LIMIT = 10_000_000;

  private final Dialect dialect;
  private final SubmissionLimits limits;

  RedisQueueCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
  }

  RedisStreamCall readStream(JsonFields fields) {
    fields.allowOnly(STREAM, dialect);
    Map<String, String> more = fields.object("fields", JsonFields::texts).orElse(Map.of());
    if (dialect.isChecked()) {
      checkFields(fields, more.keySet());
    }
    return sampled(
        fields,
        new RedisStreamCall(name(fields, "stream"), message(fields), more, maxLength(fields)));
  }

  RedisListCall readList(JsonFields fields) {
    fields.allowOnly(LIST, dialect);
    return sampled(
        fields,
        new RedisListCall(
            name(fields, "list"),
            message(fields),
            fields.word("side", SIDES).orElse(RedisListCall.Side.LEFT),
            maxLength(fields)));
  }

  /** Returns the same call, whose placeholders are checked. */
  private <C extends ActionCall> C sampled(JsonFields fields, C call) {
    if (dialect.isChecked()) {
      PlaceholderRules.sample(fields, call);
    }
    return call;
  }

  private String name(JsonFields fields, String property) {
    return fields.requiredText(property, NAME, NAME_RULE, dialect);
  }

  private String message(JsonFields fields) {
    String message = fields.requiredText("message");
    if (dialect.isChecked()) {
      fields.checkBytes("message", message, limits.body());
    }
    return message;
  }

  private static int maxLength(JsonFields fields) {
    return fields.integer("maxLength", 1, MAX_LENGTH_LIMIT).orElse(RedisStreamCall.UNSPECIFIED);
  }

  private void checkFields(JsonFields fields, Set<String> names) {
    String place = fields.place("fields");
    if (names.size() > limits.headers()) {
      fields.report(
          JobException.invalid(
              place
                  + ": "
                  + names.size()
                  + " fields are more than the "
                  + limits.headers()
                  + " allowed"));
    }
    List<String> own = RedisStreamCall.OWN_FIELDS;
    for (String name : names) {
      if (name.isEmpty() || own.contains(name)) {
        fields.report(
            JobException.invalid(
                place + ".'" + name + "': must be another name than " + String.join(", ", own)));
      }
    }
  }

  /** Writes the properties of an addition to a stream. */
  static void write(JsonGenerator json, RedisStreamCall call) throws IOException {
    json.writeStringField("stream", call.stream());
    json.writeStringField("message", call.message());
    if (!call.fields().isEmpty()) {
      JsonOut.writeTexts(json, "fields", call.fields());
    }
    writeMaxLength(json, call.maxLength());
  }

  /** Writes the properties of an addition to a list. */
  static void write(JsonGenerator json, RedisListCall call) throws IOException {
    json.writeStringField("list", call.list());
    json.writeStringField("message", call.message());
    json.writeStringField("side", call.side().word());
    writeMaxLength(json, call.maxLength());
  }

  private static void writeMaxLength(JsonGenerator json, int maxLength) throws IOException {
    if (maxLength != RedisStreamCall.UNSPECIFIED) {
      json.writeNumberField("maxLength", maxLength);
    }
  }
}
