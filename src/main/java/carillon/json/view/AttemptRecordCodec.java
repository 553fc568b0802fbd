package carillon.json.view;

import carillon.job.AttemptRecord;
import carillon.job.AttemptRecord.Running;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobKey;
import carillon.job.name.ShortName;
import carillon.job.name.WireWord;
import carillon.json.HistoryCodec;
import carillon.json.RecordedAnswer;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Codec of records of attempts: their stored form, and pages of them. */
public final class AttemptRecordCodec {
  /** Maximum length of the line that a list shows. */
  private static final int SUMMARY_LENGTH = 200;

  private AttemptRecordCodec() {}

  /**
   * Writes the stored form, without the key of the job. It begins like that of a history entry, so
   * scripts can find the end of the attempt.
   */
  public static String write(
      AttemptRecord.Source source, AttemptRecord.State state, HistoryEntry entry) {
    HistoryEntry brief = entry.withMessage(summary(entry));
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          HistoryCodec.writeStoredFields(json, brief);
          int code = entry.call().statusCode().orElse(0);
          if (code == RecordedAnswer.OK) {
            json.writeNumberField("code", code); // the shortened message lacks the status
          }
          json.writeStringField("state", state.word());
          json.writeStringField("name", source.name());
          json.writeStringField("destination", source.destination());
          json.writeEndObject();
        });
  }

  /** Returns the first line of an answer, or why there was none. */
  private static String summary(HistoryEntry entry) {
    String text =
        RecordedAnswer.of(entry)
            .map(RecordedAnswer::body)
            .or(() -> entry.call().error().map(HistoryEntry.CallError::cause))
            .orElse(entry.message())
            .strip();
    String line = text.lines().findFirst().orElse("");
    return line.length() <= SUMMARY_LENGTH ? line : line.substring(0, SUMMARY_LENGTH - 1) + "…";
  }

  /**
   * Reads the stored form; empty when it cannot be read.
   *
   * @param job key of the job
   */
  public static Optional<AttemptRecord> read(String job, String json) {
    try {
      JsonFields fields = JsonFields.root(StrictJsonParser.parseStored(json));
      String name = ShortName.stored(fields.requiredText("name"), new JobKey(job));
      String destination = fields.text("destination").orElse("");
      HistoryEntry entry = HistoryCodec.readStored(fields);
      return JobKey.hasItsForm(job)
          ? WireWord.find(AttemptRecord.State.class, fields.requiredText("state"))
              .map(state -> new AttemptRecord(job, name, state, destination, entry))
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Writes a page of records. */
  public static byte[] page(List<AttemptRecord> attempts, Optional<String> nextLink) {
    return JsonOut.of(
        json -> JsonOut.writePage(json, attempts, AttemptRecordCodec::write, nextLink));
  }

  /** Writes a page of attempts in flight. */
  public static byte[] runningPage(List<Running> attempts, Optional<String> nextLink) {
    return JsonOut.of(
        json -> JsonOut.writePage(json, attempts, AttemptRecordCodec::writeRunning, nextLink));
  }

  private static void writeRunning(JsonGenerator json, Running running) throws IOException {
    Attempt attempt = running.attempt();
    List<String> key = new JobKey(attempt.job()).parts();
    json.writeStartObject();
    json.writeStringField("subscription", key.get(0));
    json.writeStringField("group", key.get(1));
    json.writeStringField("collection", key.get(2));
    json.writeStringField("job", key.get(3));
    json.writeStringField("state", Running.STATE);
    json.writeStringField("node", running.node());
    json.writeStringField("startTime", Timestamps.format(running.since()));
    json.writeStringField("expectedExecutionTime", Timestamps.format(attempt.dueAt()));
    HistoryCodec.writeAttempt(json, attempt);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, AttemptRecord record) throws IOException {
    List<String> key = new JobKey(record.job()).parts();
    ShortName name = ShortName.parse(record.name());
    json.writeStartObject();
    json.writeStringField("subscription", key.get(0));
    json.writeStringField("group", key.get(1));
    json.writeStringField("collection", name.collection());
    json.writeStringField("job", name.job());
    json.writeStringField("state", record.state().word());
    if (!record.destination().isEmpty()) {
      json.writeStringField("destination", record.destination());
    }
    HistoryCodec.writeFlat(json, record.entry());
    json.writeEndObject();
  }
}
