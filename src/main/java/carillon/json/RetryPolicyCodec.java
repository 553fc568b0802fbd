package carillon.json;

import carillon.job.JobException;
import carillon.job.RetryPolicy;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Codec of retry policies. {@code fixed} and {@code none} are the retired service's; {@code
 * exponential} and {@code retryMaxDuration} go beyond it.
 */
final class RetryPolicyCodec {
  private static final Set<String> KNOWN =
      Set.of(
          "retryType",
          "retryInterval",
          "retryCount",
          "retryFactor",
          "retryMaxInterval",
          "retryJitter",
          "retryMaxDuration");
  private static final Set<String> EXPONENTIAL_ONLY =
      Set.of("retryFactor", "retryMaxInterval", "retryJitter");
  private static final EnumNames<String> TYPES =
      EnumNames.of(Stream.of("none", "fixed", "exponential"), type -> type);
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
    fields.allowOnly(KNOWN, dialect);
    String type = fields.requiredWord("retryType", TYPES);
    Duration interval = duration(fields, "retryInterval").orElse(DEFAULT_INTERVAL);
    int count = fields.integer("retryCount", 0, MAX_RETRIES).orElse(DEFAULT_RETRIES);
    Optional<Duration> maxDuration = duration(fields, "retryMaxDuration");
    if (type.equals("exponential")) {
      return exponential(fields, interval, count, maxDuration);
    }
    EXPONENTIAL_ONLY.stream()
        .filter(fields::has)
        .sorted()
        .findFirst()
        .ifPresent(name -> misplaced(fields, name));
    return type.equals("none")
        ? RetryPolicy.NONE
        : new RetryPolicy.Fixed(interval, count, maxDuration);
  }

  private RetryPolicy exponential(
      JsonFields fields, Duration interval, int count, Optional<Duration> maxDuration) {
    Duration standard =
        interval.compareTo(DEFAULT_MAX_INTERVAL) > 0 ? interval : DEFAULT_MAX_INTERVAL;
    Duration maxInterval = duration(fields, "retryMaxInterval").orElse(standard);
    if (maxInterval.compareTo(interval) < 0) {
      throw fields.refusal("retryMaxInterval", "must be at least retryInterval, " + interval);
    }
    return new RetryPolicy.Exponential(
        interval,
        fields.decimal("retryFactor", 1, MAX_FACTOR).orElse(DEFAULT_FACTOR),
        maxInterval,
        fields.decimal("retryJitter", 0, 1).orElse(DEFAULT_JITTER),
        count,
        maxDuration);
  }

  private static void misplaced(JsonFields fields, String name) {
    throw JobException.invalid(fields.place(name) + ": belongs to retryType exponential only");
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
      throw fields.refusal(name, "must be at least " + limits.minRetryInterval());
    }
    if (duration.compareTo(limits.horizon()) > 0) {
      throw fields.refusal(name, "must be at most " + limits.horizon().toDays() + " days");
    }
  }

  /** Writes the policy as one object. */
  static void write(JsonGenerator json, RetryPolicy policy, Dialect dialect) throws IOException {
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
