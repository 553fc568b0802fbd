package carillon.json;

import static carillon.json.text.Dialect.Switch.ENVELOPED;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.CallDetail;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.Skip;
import carillon.job.attempt.HistoryItem;
import carillon.job.attempt.HistoryMark;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.ShortName;
import carillon.job.name.WireWord;
import carillon.json.text.Dialect;
import carillon.json.text.Dialect.ResourceId;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Codec of history: writes the answers of one dialect, and reads and writes the stored form. */
public final class HistoryCodec {
  private static final EnumNames<HistoryEntry.Status> STATUSES =
      EnumNames.of(HistoryEntry.Status.OF_ENTRIES.stream(), HistoryEntry.Status::word);
  private static final EnumNames<Attempt.Phase> PHASES = EnumNames.of(Attempt.Phase.class);

  /** Number that the stored form omits. */
  private static final int FIRST_OCCURRENCE = 1;

  private final Dialect dialect;

  /** A codec for one dialect. */
  public HistoryCodec(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Writes an entry of the job. */
  public byte[] entry(JobName job, HistoryEntry entry) {
    return JsonOut.of(json -> write(json, job, entry));
  }

  /** Writes a page of the job's entries. */
  public byte[] page(JobName job, List<HistoryEntry> entries, Optional<String> nextLink) {
    return JsonOut.of(
        json -> JsonOut.writePage(json, entries, (out, entry) -> write(out, job, entry), nextLink));
  }

  /**
   * Attempt with its node and job.
   *
   * @param node that made it
   * @param key of the job, {@code sub/group/coll/job}
   * @param name {@code collection/job} in the case they were given
   */
  public record Live(String node, String key, String name, HistoryEntry entry) {}

  /** Writes attempts as an array, with the names of their jobs. */
  public static String live(List<Live> attempts) {
    return JsonOut.text(json -> JsonOut.writeItems(json, attempts, HistoryCodec::writeLive));
  }

  private static void writeLive(JsonGenerator json, Live attempt) throws IOException {
    List<String> key = new JobKey(attempt.key).parts();
    ShortName name = ShortName.parse(attempt.name);
    json.writeStartObject();
    json.writeStringField("node", attempt.node);
    json.writeStringField("subscription", key.get(0));
    json.writeStringField("group", key.get(1));
    json.writeStringField("collection", name.collection());
    json.writeStringField("job", name.job());
    writeFlat(json, attempt.entry);
    json.writeEndObject();
  }

  private void write(JsonGenerator json, JobName job, HistoryEntry entry) throws IOException {
    json.writeStartObject();
    if (dialect.has(ENVELOPED)) {
      writeEnveloped(json, job, entry);
    } else {
      writeFlat(json, entry);
    }
    json.writeEndObject();
  }

  /** Writes the native properties into an object. */
  public static void writeFlat(JsonGenerator json, HistoryEntry entry) throws IOException {
    Optional<RecordedAnswer> answer = RecordedAnswer.of(entry);
    json.writeStringField("id", HistoryId.of(entry));
    writeTimes(json, entry, entry.dueAt());
    json.writeStringField("message", RecordedAnswer.summary(entry, answer.isPresent()));
    writeCounts(json, entry);
    json.writeStringField("executionId", entry.execution());
    writeSkip(json, entry);
    writeCall(json, entry, answer);
  }

  /** Writes the action, the occurrence and the retry into an object. */
  public static void writeCounts(JsonGenerator json, HistoryEntry entry) throws IOException {
    json.writeStringField("actionName", actionName(entry));
    json.writeNumberField("repeatCount", entry.occurrence());
    json.writeNumberField("retryCount", entry.retry());
  }

  /** Writes the properties that clients expect of every entry, for a mark, into an object. */
  public static void writeNoAttempt(JsonGenerator json, HistoryMark mark) throws IOException {
    json.writeStringField("id", HistoryId.of(mark));
    writeTimes(json, mark, mark.at());
    json.writeStringField("message", mark.message());
    json.writeStringField("actionName", actionName(Attempt.Phase.MAIN));
    json.writeNumberField("repeatCount", 0);
    json.writeNumberField("retryCount", 0);
    json.writeStringField("executionId", "");
  }

  /**
   * Writes the properties that identify an attempt into an object, in the form of the entry at its
   * end.
   */
  public static void writeAttempt(JsonGenerator json, Attempt attempt) throws IOException {
    json.writeStringField("actionName", actionName(attempt.phase()));
    json.writeNumberField("repeatCount", attempt.occurrence());
    json.writeNumberField("retryCount", attempt.number() - 1);
    json.writeStringField("executionId", attempt.executionId());
    json.writeNumberField("attempt", attempt.number());
  }

  /** Writes the facts of the message in machine-readable form. */
  private static void writeCall(
      JsonGenerator json, HistoryEntry entry, Optional<RecordedAnswer> answer) throws IOException {
    if (entry.status() == HistoryEntry.Status.SKIPPED) {
      return;
    }
    json.writeNumberField("attempt", entry.retry() + 1);
    if (entry.reason().isPresent()) {
      return; // the outcome is unknown
    }
    json.writeNumberField(
        "durationMs", Math.max(0, Duration.between(entry.start(), entry.end()).toMillis()));
    OptionalInt code = entry.call().statusCode();
    if (code.isPresent()) {
      json.writeNumberField("statusCode", code.getAsInt());
    }
    if (answer.isPresent()) {
      answer.get().write(json);
    }
    if (entry.call().error().isPresent()) {
      writeError(json, entry.call().error().get());
    }
  }

  private static void writeError(JsonGenerator json, CallError error) throws IOException {
    json.writeObjectFieldStart("error");
    json.writeStringField("code", error.kind().word());
    json.writeStringField("message", error.cause());
    json.writeEndObject();
  }

  private static void writeEnveloped(JsonGenerator json, JobName job, HistoryEntry entry)
      throws IOException {
    String id = HistoryId.of(entry);
    json.writeStringField("id", ResourceId.of(job) + "/history/" + id);
    json.writeStringField("type", ResourceId.HISTORY_TYPE);
    json.writeStringField("name", job.collection().collection() + "/" + job.job() + "/" + id);
    json.writeObjectFieldStart("properties");
    writeTimes(json, entry, entry.dueAt());
    json.writeStringField("message", entry.message());
    json.writeNumberField("retryCount", entry.retry());
    json.writeNumberField("repeatCount", entry.occurrence());
    json.writeStringField("actionName", actionName(entry));
    writeSkip(json, entry);
    json.writeEndObject();
  }

  private static void writeReason(JsonGenerator json, HistoryEntry entry) throws IOException {
    if (entry.reason().isPresent()) {
      json.writeStringField("reason", entry.reason().get().word());
    }
  }

  /** Writes the reason of a skipped entry, and the number and span of its occurrences. */
  public static void writeSkip(JsonGenerator json, HistoryEntry entry) throws IOException {
    writeReason(json, entry);
    if (entry.skip().isPresent()) {
      json.writeNumberField("count", entry.skip().get().count());
      json.writeStringField("from", Timestamps.format(entry.dueAt()));
      json.writeStringField("to", Timestamps.format(entry.skip().get().to()));
    }
  }

  private static void writeTimes(JsonGenerator json, HistoryItem item, Instant dueAt)
      throws IOException {
    json.writeStringField("startTime", Timestamps.format(item.start()));
    json.writeStringField("endTime", Timestamps.format(item.end()));
    json.writeStringField("expectedExecutionTime", Timestamps.format(dueAt));
    json.writeStringField("status", item.status().word());
  }

  private static String actionName(HistoryEntry entry) {
    return actionName(entry.phase());
  }

  private static String actionName(Attempt.Phase phase) {
    return phase == Attempt.Phase.MAIN ? "MainAction" : "ErrorAction";
  }

  /** Writes the stored form. */
  static void writeStored(JsonGenerator json, HistoryEntry entry) throws IOException {
    json.writeStartObject();
    writeStoredFields(json, entry);
    json.writeEndObject();
  }

  /** Writes the properties of the stored form, with the end first. */
  public static void writeStoredFields(JsonGenerator json, HistoryEntry entry) throws IOException {
    json.writeStringField("end", Timestamps.formatMillis(entry.end()));
    json.writeStringField("start", Timestamps.format(entry.start()));
    json.writeStringField("due", Timestamps.format(entry.dueAt()));
    json.writeStringField("status", entry.status().word());
    writeStoredAttempt(json, entry);
    json.writeStringField("execution", entry.execution());
    json.writeStringField("message", wellFormed(entry.message()));
    writeReason(json, entry);
    writeStoredSkip(json, entry);
    writeStoredCall(json, entry.call());
  }

  /**
   * Writes the properties of the attempt. Most entries are the first attempt of a one-time job, for
   * which it stores nothing.
   */
  private static void writeStoredAttempt(JsonGenerator json, HistoryEntry entry)
      throws IOException {
    if (entry.phase() != Attempt.Phase.MAIN) {
      json.writeStringField("action", entry.phase().word());
    }
    if (entry.occurrence() != FIRST_OCCURRENCE) {
      json.writeNumberField("occurrence", entry.occurrence());
    }
    if (entry.retry() != 0) {
      json.writeNumberField("retry", entry.retry());
    }
  }

  /** Writes the number of occurrences, if there are several, and the instant of the last one. */
  private static void writeStoredSkip(JsonGenerator json, HistoryEntry entry) throws IOException {
    Optional<Skip> several = entry.skip().filter(skip -> skip.count() > 1);
    if (several.isPresent()) {
      json.writeNumberField("count", several.get().count());
      json.writeStringField("to", Timestamps.format(several.get().to()));
    }
  }

  private static Optional<Skip> readStoredSkip(
      JsonFields fields, HistoryEntry.Status status, Instant due) {
    return status == HistoryEntry.Status.SKIPPED
        ? Optional.of(
            new Skip(
                fields.integer("count", 1, Integer.MAX_VALUE).orElse(1),
                fields.instant("to").orElse(due)))
        : Optional.empty();
  }

  /**
   * Writes the result of the call. Headers, body and the most common status are in the message, so
   * they are not stored again.
   */
  private static void writeStoredCall(JsonGenerator json, CallDetail call) throws IOException {
    int code = call.statusCode().orElse(RecordedAnswer.OK);
    if (code != RecordedAnswer.OK) {
      json.writeNumberField("code", code);
    }
    if (call.bodyBytes().isPresent()) {
      json.writeNumberField("bytes", call.bodyBytes().getAsLong());
    }
    if (call.error().isPresent()) {
      json.writeStringField("error", call.error().get().kind().word());
      json.writeStringField("cause", wellFormed(call.error().get().cause()));
    }
  }

  private static CallDetail readStoredCall(JsonFields fields, String message) {
    OptionalInt code =
        RecordedAnswer.saysOk(message)
            ? OptionalInt.of(RecordedAnswer.OK)
            : fields.integer("code", 0, Integer.MAX_VALUE);
    OptionalInt bytes = fields.integer("bytes", 0, Integer.MAX_VALUE);
    Optional<CallError.ErrorKind> kind =
        fields.text("error").flatMap(word -> WireWord.find(CallError.ErrorKind.class, word));
    String cause = fields.text("cause").orElse("");
    return new CallDetail(
        code,
        bytes.isPresent() ? OptionalLong.of(bytes.getAsInt()) : OptionalLong.empty(),
        kind.map(known -> new CallError(known, cause)));
  }

  /**
   * Replaces incomplete characters. A target's answer may have been cut within a character, and
   * JSON in UTF-8 cannot hold half of one.
   */
  private static String wellFormed(String text) {
    return text.chars().noneMatch(c -> Character.isSurrogate((char) c))
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** Reads the stored form. */
  public static HistoryEntry readStored(JsonFields fields) {
    String message = fields.requiredText("message");
    Instant due = fields.instant("due").orElseThrow();
    HistoryEntry.Status status = fields.requiredWord("status", STATUSES);
    return new HistoryEntry(
        fields.instant("start").orElseThrow(),
        fields.instant("end").orElseThrow(),
        due,
        status,
        fields.word("action", PHASES).orElse(Attempt.Phase.MAIN),
        fields.integer("occurrence", 0, Integer.MAX_VALUE).orElse(FIRST_OCCURRENCE),
        fields.integer("retry", 0, Integer.MAX_VALUE).orElse(0),
        fields.requiredText("execution"),
        message,
        fields.text("reason").flatMap(word -> WireWord.find(HistoryEntry.Reason.class, word)),
        readStoredSkip(fields, status, due),
        readStoredCall(fields, message));
  }

  /**
   * The id of a history entry, in the service's form: two numbers of 20 digits. The first one
   * decreases over time, so that ids sort newest first. The second one distinguishes entries of the
   * same instant. Clients treat the id as opaque.
   */
  public static final class HistoryId {
    /** .NET's DateTime.MaxValue in ticks of 100 ns since the year 1. */
    private static final long MAX_TICKS = 3_155_378_975_999_999_999L;

    private static final long EPOCH_TICKS = 621_355_968_000_000_000L;
    private static final long TICKS_PER_SECOND = 10_000_000;
    private static final int NANOS_PER_TICK = 100;
    private static final long ATTEMPTS_PER_OCCURRENCE = 64;
    private static final long ATTEMPTS_PER_ACTION = 32;

    /** Number of a history mark in place of an attempt. No attempt has that many retries. */
    private static final long MARK = ATTEMPTS_PER_OCCURRENCE - 1;

    private HistoryId() {}

    /** Returns the id of a mark. */
    public static String of(HistoryMark mark) {
      return of(mark.at(), MARK);
    }

    /** Whether an id belongs to a mark. */
    public static boolean isOfMark(String id) {
      return id.endsWith(":0" + (Long.MAX_VALUE - MARK));
    }

    /** Returns the id of an entry. It is computed from the entry, not stored. */
    public static String of(HistoryEntry entry) {
      long attempt =
          entry.occurrence() * ATTEMPTS_PER_OCCURRENCE
              + (entry.phase() == Attempt.Phase.ERROR ? ATTEMPTS_PER_ACTION : 0)
              + entry.retry();
      return of(entry.start(), attempt);
    }

    private static String of(Instant start, long attempt) {
      StringBuilder id = new StringBuilder(41);
      append(id, MAX_TICKS - ticks(start));
      append(id.append(':'), Long.MAX_VALUE - attempt);
      return id.toString();
    }

    private static long ticks(Instant instant) {
      return EPOCH_TICKS
          + instant.getEpochSecond() * TICKS_PER_SECOND
          + instant.getNano() / NANOS_PER_TICK;
    }

    private static void append(StringBuilder id, long number) {
      String digits = Long.toString(number);
      id.append("0".repeat(20 - digits.length())).append(digits);
    }
  }
}
