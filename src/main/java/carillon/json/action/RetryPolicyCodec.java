package carillon.json.action;

import static carillon.json.text.Dialect.Switch.EXTENSIONS;
import static carillon.json.text.Dialect.Switch.STRICT;

import carillon.job.action.RetryPolicy;
import carillon.job.action.StatusSet;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Codec of retry policies. {@code fixed} and {@code none} are the retired service's; {@code
 * exponential} and {@code retryMaxDuration} go beyond it.
 */
public final class RetryPolicyCodec {
  static final String GIVE_UP_ON = "giveUpOn";

  private static final String EXPONENTIAL = "exponential";

  private static final Set<String> KNOWN =
      Set.of(
          "retryType",
          "retryInterval",
          "retryCount",
          "retryFactor",
          "retryMaxInterval",
          "retryJitter",
          "retryMaxDuration",
          GIVE_UP_ON);
  private static final Map<String, String> MEANT =
      Map.of(
          "type", "retryType",
          "count", "retryCount",
          "retries", "retryCount",
          "interval", "retryInterval",
          "maxInterval", "retryMaxInterval",
          "factor", "retryFactor",
          "jitter", "retryJitter");
  private static final Set<String> EXPONENTIAL_ONLY =
      Set.of("retryFactor", "retryMaxInterval", "retryJitter");
  private static final List<String> REPEATING_ONLY =
      List.of("retryInterval", "retryCount", "retryMaxDuration");
  private static final String UNUSED = "has no meaning with retryType none, which never retries";
  private static final EnumNames<String> TYPES =
      EnumNames.of(Stream.of("none", "fixed", EXPONENTIAL), type -> type);
  private static final int MAX_RETRIES = 20;
  private static final int DEFAULT_RETRIES = 5;
  private static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);
  private static final Duration DEFAULT_MAX_INTERVAL = Duration.ofHours(1);
  private static final double DEFAULT_FACTOR = 2;
  private static final double MAX_FACTOR = 10;
  private static final double DEFAULT_JITTER = 0.2;

  private final Dialect dialect;
  private final SubmissionLimits limits;

  RetryPolicyCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
  }

  RetryPolicy read(JsonFields fields) {
    fields.allowOnly(KNOWN, MEANT, dialect);
    String type = type(fields);
    Duration interval = duration(fields, "retryInterval").orElse(DEFAULT_INTERVAL);
    int count = fields.integer("retryCount", 0, MAX_RETRIES).orElse(DEFAULT_RETRIES);
    Optional<Duration> maxDuration = duration(fields, "retryMaxDuration");
    StatusSet giveUpOn = StatusSetCodec.read(fields, GIVE_UP_ON).orElse(StatusSet.NONE);
    if (type.equals(EXPONENTIAL)) {
      return exponential(fields, interval, count, maxDuration, giveUpOn);
    }
    EXPONENTIAL_ONLY.stream()
        .filter(fields::has)
        .sorted()
        .forEach(name -> report(fields, name, "belongs to retryType exponential only"));
    if (!type.equals("none")) {
      return new RetryPolicy.Fixed(interval, count, maxDuration, giveUpOn);
    }
    if (!giveUpOn.isEmpty()) {
      report(fields, GIVE_UP_ON, UNUSED);
    }
    if (dialect.has(STRICT)) {
      REPEATING_ONLY.stream()
          .filter(name -> fields.has(name) && !(name.equals("retryCount") && count == 0))
          .forEach(name -> report(fields, name, UNUSED));
    }
    return RetryPolicy.NONE;
  }

  private static void report(JsonFields fields, String name, String rule) {
    fields.report(fields.refusal(name, rule));
  }

  /** Removes options of another type of retries from a policy to patch. */
  public static void clear(Map<String, Object> policy, Map<String, Object> change) {
    if (change.get("retryType") instanceof String type
        && policy.get("retryType") instanceof String before
        && !type.equalsIgnoreCase(before)) {
      policy.keySet().removeAll(EXPONENTIAL_ONLY);
      if (type.equalsIgnoreCase("none")) {
        policy.clear();
      }
    }
  }

  /**
   * Returns the type of retries. A native policy with other properties but no type means growing
   * pauses.
   */
  private String type(JsonFields fields) {
    boolean isShort = dialect.has(EXTENSIONS) && !fields.isEmpty();
    return fields
        .word("retryType", TYPES)
        .or(
            () ->
                isShort || fields.isRefused("retryType")
                    ? Optional.of(EXPONENTIAL)
                    : Optional.empty())
        .orElseThrow(() -> fields.missing("retryType"));
  }

  private RetryPolicy exponential(
      JsonFields fields,
      Duration interval,
      int count,
      Optional<Duration> maxDuration,
      StatusSet giveUpOn) {
    Duration standard =
        interval.compareTo(DEFAULT_MAX_INTERVAL) > 0 ? interval : DEFAULT_MAX_INTERVAL;
    Duration maxInterval = duration(fields, "retryMaxInterval").orElse(standard);
    if (maxInterval.compareTo(interval) < 0 && !fields.isRefused("retryInterval")) {
      fields.report(
          fields.refusal("retryMaxInterval", "must be at least retryInterval, " + interval));
    }
    return new RetryPolicy.Exponential(
        interval,
        fields.decimal("retryFactor", 1, MAX_FACTOR).orElse(DEFAULT_FACTOR),
        maxInterval,
        fields.decimal("retryJitter", 0, 1).orElse(DEFAULT_JITTER),
        count,
        maxDuration,
        giveUpOn);
  }

  private Optional<Duration> duration(JsonFields fields, String name) {
    Optional<Duration> given = fields.duration(name);
    if (dialect.isChecked()) {
      given.ifPresent(duration -> check(fields, name, duration));
    }
    return given;
  }

  private void check(JsonFields fields, String name, Duration duration) {
    if (duration.compareTo(limits.minRetryInterval()) < 0) {
      fields.report(fields.refusal(name, "must be at least " + limits.minRetryInterval()));
    }
    if (duration.compareTo(limits.horizon()) > 0) {
      fields.report(fields.refusal(name, "must be at most " + limits.horizon().toDays() + " days"));
    }
  }

  /** Writes the policy as one object. */
  public static void write(JsonGenerator json, RetryPolicy policy, Dialect dialect)
      throws IOException {
    json.writeStartObject();
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
    json.writeStringField("retryType", grows ? EXPONENTIAL : "fixed");
    JsonOut.writeDuration(json, "retryInterval", policy.interval(), dialect);
    json.writeNumberField("retryCount", policy.count());
    if (policy instanceof RetryPolicy.Exponential exponential) {
      writeNumber(json, "retryFactor", exponential.factor());
      JsonOut.writeDuration(json, "retryMaxInterval", exponential.maxInterval(), dialect);
      writeNumber(json, "retryJitter", exponential.jitter());
    }
    if (policy.maxDuration().isPresent()) {
      JsonOut.writeDuration(json, "retryMaxDuration", policy.maxDuration().get(), dialect);
    }
    if (!policy.giveUpOn().isEmpty()) {
      StatusSetCodec.write(json, GIVE_UP_ON, policy.giveUpOn());
    }
  }

  /** Writes a whole number without a fraction, as clients have probably sent it. */
  private static void writeNumber(JsonGenerator json, String name, double number)
      throws IOException {
    if (number == Math.rint(number)) {
      json.writeNumberField(name, (long) number);
    } else {
      json.writeNumberField(name, number);
    }
  }
}
