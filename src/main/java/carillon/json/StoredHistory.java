package carillon.json;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The stored form of a history entry. */
final class StoredHistory {
  private static final EnumNames<HistoryEntry.Status> STATUSES =
      EnumNames.named(Stream.of(HistoryEntry.Status.values()));
  private static final EnumNames<Attempt.Phase> PHASES =
      EnumNames.named(Stream.of(Attempt.Phase.values()));

  private StoredHistory() {}

  static void write(JsonGenerator json, HistoryEntry entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("end", Timestamps.formatMillis(entry.end()));
    json.writeStringField("start", Timestamps.format(entry.start()));
    json.writeStringField("due", Timestamps.format(entry.dueAt()));
    json.writeStringField("status", entry.status().word());
    json.writeStringField("action", entry.phase() == Attempt.Phase.MAIN ? "main" : "error");
    json.writeNumberField("occurrence", entry.occurrence());
    json.writeNumberField("retry", entry.retry());
    json.writeStringField("execution", entry.execution());
    json.writeStringField("message", wellFormed(entry.message()));
    json.writeEndObject();
  }

  /**
   * A target's answer may have been cut within a character, and JSON in UTF-8 cannot hold half of
   * one.
   */
  private static String wellFormed(String text) {
    return text.chars().noneMatch(c -> Character.isSurrogate((char) c))
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  static HistoryEntry read(JsonFields fields) {
    return new HistoryEntry(
        fields.instant("start").orElseThrow(),
        fields.instant("end").orElseThrow(),
        fields.instant("due").orElseThrow(),
        fields.requiredWord("status", STATUSES),
        fields.requiredWord("action", PHASES),
        fields.integer("occurrence", 0, Integer.MAX_VALUE).orElseThrow(),
        fields.integer("retry", 0, Integer.MAX_VALUE).orElseThrow(),
        fields.requiredText("execution"),
        fields.requiredText("message"));
  }
}
