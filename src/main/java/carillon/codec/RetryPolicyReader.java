package carillon.codec;

import carillon.job.RetryPolicy;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what follows a failed attempt. */
final class RetryPolicyReader {
  private static final Set<String> KNOWN = Set.of("retryType", "retryInterval", "retryCount");
  private static final Words<String> TYPES = Words.of(Stream.of("none", "fixed"), type -> type);
  private static final int MOST_RETRIES = 20;
  private static final int USUAL_RETRIES = 5;
  private static final Duration USUAL_INTERVAL = Duration.ofMinutes(1);

  private final Dialect dialect;
  private final Limits limits;

  RetryPolicyReader(Dialect dialect, Limits limits) {
    this.dialect = dialect;
    this.limits = limits;
  }

  RetryPolicy read(Fields fields) {
    fields.allowOnly(KNOWN, dialect);
    String type = fields.requiredWord("retryType", TYPES);
    Duration interval = fields.duration("retryInterval").orElse(USUAL_INTERVAL);
    int count = fields.integer("retryCount", 0, MOST_RETRIES).orElse(USUAL_RETRIES);
    if (type.equals("none")) {
      return RetryPolicy.NONE;
    }
    if (fields.has("retryInterval")) {
      check(fields, interval);
    }
    return new RetryPolicy.Fixed(interval, count);
  }

  private void check(Fields fields, Duration interval) {
    if (dialect == Dialect.STORED) {
      return;
    }
    if (interval.compareTo(limits.minRetryInterval()) < 0) {
      throw fields.refusal("retryInterval", "must be at least " + limits.minRetryInterval());
    }
    if (interval.compareTo(limits.horizon()) > 0) {
      throw fields.refusal(
          "retryInterval", "must be at most " + limits.horizon().toDays() + " days");
    }
  }
}
