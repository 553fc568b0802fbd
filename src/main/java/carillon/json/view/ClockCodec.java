package carillon.json.view;

import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Codec of requests to a virtual clock, and of its answers. */
public final class ClockCodec {
  private static final Set<String> KNOWN = Set.of("by", "to", "maxAttempts");
  private static final int MAX_ATTEMPTS = 10_000;

  /** Maximum length of a target's answer in the log. The job's history has the whole message. */
  private static final int MAX_MESSAGE_LENGTH = 200;

  /** Last instant of the clock, since nothing is later. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private ClockCodec() {}

  /**
   * Request to set the clock forward.
   *
   * @param by distance, unless there is a {@code to}
   * @param to target, unless there is a {@code by}
   * @param maxAttempts number of attempts after which the advance stops early
   */
  public record AdvanceRequest(Optional<Duration> by, Optional<Instant> to, int maxAttempts) {
    /** Returns the instant to advance to. Refuses an instant in the past. */
    public UnaryOperator<Instant> target() {
      return now -> {
        Instant target = to.orElseGet(() -> after(now, by.orElseThrow()));
        if (target.isBefore(now)) {
          throw JsonFields.refuse(
              "to",
              Timestamps.format(target),
              "must not be before " + Timestamps.format(now) + ", where the clock stands");
        }
        return target;
      };
    }
  }

  private static Instant after(Instant now, Duration by) {
    if (by.compareTo(Duration.between(now, LAST)) > 0) {
      throw JsonFields.refuse("by", by.toString(), "must not lead beyond the year 9999");
    }
    return now.plus(by);
  }

  /** Attempt in the log of an advance. */
  public record Logged(String job, HistoryEntry entry) {}

  /** Reads a request. */
  public static AdvanceRequest read(byte[] json) {
    JsonFields fields = JsonFields.root(StrictJsonParser.parse(json, "Malformed advance"));
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Optional<Duration> by = fields.duration("by");
    Optional<Instant> to = fields.instant("to");
    if (by.isEmpty() && to.isEmpty()) {
      throw JobException.invalid("by: is missing; give by or to");
    }
    if (by.isPresent() && to.isPresent()) {
      throw fields.refusal("by", "does not go with to; leave one out");
    }
    return new AdvanceRequest(
        by, to, fields.integer("maxAttempts", 1, MAX_ATTEMPTS).orElse(MAX_ATTEMPTS));
  }

  /** Writes the time of the clock, and the next due instant. */
  public static byte[] state(Instant now, Optional<Instant> nextDue) {
    return JsonOut.object(
        json -> {
          json.writeStringField("mode", "virtual");
          json.writeStringField("now", Timestamps.format(now));
          JsonOut.writeInstant(json, "nextDue", nextDue);
        });
  }

  /** Writes the result of an advance. */
  public static byte[] advanced(Instant now, boolean isTruncated, long skipped, List<Logged> log) {
    return JsonOut.object(
        json -> {
          json.writeStringField("now", Timestamps.format(now));
          json.writeNumberField("attempts", log.size());
          json.writeNumberField("skipped", skipped);
          json.writeBooleanField("truncated", isTruncated);
          json.writeArrayFieldStart("log");
          for (Logged one : log) {
            write(json, one);
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, Logged logged) throws IOException {
    HistoryEntry entry = logged.entry();
    json.writeStartObject();
    json.writeStringField("at", Timestamps.format(entry.start()));
    json.writeStringField("job", logged.job());
    json.writeStringField("dueAt", Timestamps.format(entry.dueAt()));
    json.writeNumberField("occurrence", entry.occurrence());
    json.writeStringField("action", entry.phase().word());
    json.writeNumberField("attempt", entry.retry() + 1);
    json.writeStringField("status", entry.status().word());
    String message = entry.message();
    json.writeStringField(
        "message", message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH)));
    json.writeEndObject();
  }
}
