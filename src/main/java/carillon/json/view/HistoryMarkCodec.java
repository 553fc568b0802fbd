package carillon.json.view;

import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryItem;
import carillon.job.attempt.HistoryMark;
import carillon.job.attempt.HistoryMark.ChangeKind;
import carillon.job.attempt.HistoryMark.Former;
import carillon.job.name.JobState;
import carillon.json.HistoryCodec;
import carillon.json.StoredJson;
import carillon.json.schedule.ScheduleCodec;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import carillon.recurrence.timetable.Exclusions;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Codec of marks: their stored form, and histories with marks. */
public final class HistoryMarkCodec {
  /** Field of a job for its marks, newest first, one in each line. */
  public static final String FIELD = "marks";

  private static final int MAX_MARKS = 20;
  private static final int MAX_MARK_BYTES = 1024;

  /** Maximum size of all marks of a job, because every reader of the job reads them too. */
  private static final int MAX_BYTES = 4096;

  /** Maximum length of a name or a note, in characters. */
  private static final int MAX_TEXT = 100;

  /** Maximum length of a schedule in words, in characters. */
  private static final int MAX_WORDS = 200;

  private static final EnumNames<ChangeKind> CHANGES = EnumNames.of(ChangeKind.class);
  private static final EnumNames<JobState> STATES = EnumNames.of(JobState.class);

  private HistoryMarkCodec() {}

  /** Returns the part of a mark that describes the job before the change. */
  public static Former former(StoredJob job) {
    JobForecast forecast =
        new JobForecast(job.definition(), job.created(), Optional.empty(), 1, Exclusions.NONE);
    String document = JsonOut.text(json -> ScheduleCodec.write(json, job.definition()));
    return new Former(
        job.state(), job.created(), cut(forecast.words(), MAX_WORDS), Optional.of(document));
  }

  /**
   * Returns the stored marks with a new one. Drops the oldest ones if there are too many, or they
   * are too long.
   */
  public static String with(String stored, HistoryMark mark) {
    String newest = stored(mark);
    StringBuilder kept = new StringBuilder(newest);
    int bytes = bytes(newest);
    for (String older : stored.lines().limit(MAX_MARKS - 1).toList()) {
      bytes += 1 + bytes(older);
      if (bytes > MAX_BYTES) {
        break;
      }
      kept.append('\n').append(older);
    }
    return kept.toString();
  }

  private static String stored(HistoryMark mark) {
    HistoryMark whole =
        new HistoryMark(
            mark.at(),
            mark.change(),
            cut(mark.by(), MAX_TEXT),
            mark.note().map(note -> cut(note, MAX_TEXT)),
            mark.former());
    String text = text(whole);
    return bytes(text) <= MAX_MARK_BYTES ? text : text(withoutDocument(whole));
  }

  private static HistoryMark withoutDocument(HistoryMark mark) {
    return new HistoryMark(
        mark.at(),
        mark.change(),
        mark.by(),
        mark.note(),
        mark.former()
            .map(
                until ->
                    new Former(
                        until.state(), until.created(), until.schedule(), Optional.empty())));
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Cuts a text to a number of characters, without half of a surrogate pair. */
  private static String cut(String text, int max) {
    String shown = text.length() <= max ? text : text.substring(0, max - 1) + "…";
    return new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static String text(HistoryMark mark) {
    return JsonOut.text(
        json -> {
          json.writeStartObject();
          json.writeStringField("at", Timestamps.format(mark.at()));
          json.writeStringField("change", mark.change().word());
          json.writeStringField("by", mark.by());
          writeNote(json, mark);
          if (mark.former().isPresent()) {
            Former until = mark.former().get();
            json.writeStringField("state", until.state().word());
            json.writeStringField("created", Timestamps.format(until.created()));
            json.writeStringField("schedule", until.schedule());
            if (until.document().isPresent()) {
              json.writeStringField("document", until.document().get());
            }
          }
          json.writeEndObject();
        });
  }

  private static void writeNote(JsonGenerator json, HistoryMark mark) throws IOException {
    if (mark.note().isPresent()) {
      json.writeStringField("note", mark.note().get());
    }
  }

  /** Reads the marks of a job, newest first. Skips unreadable ones. */
  public static List<HistoryMark> read(String stored) {
    return stored.lines().flatMap(line -> find(line).stream()).toList();
  }

  /** Whether each mark of a job can be read. */
  public static boolean isReadable(String stored) {
    return stored.lines().allMatch(line -> find(line).isPresent());
  }

  private static Optional<HistoryMark> find(String line) {
    try {
      return Optional.of(mark(JsonFields.root(StrictJsonParser.parseStored(line))));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static HistoryMark mark(JsonFields fields) {
    Optional<Former> former =
        fields
            .word("state", STATES)
            .map(
                state ->
                    new Former(
                        state,
                        fields.instant("created").orElseThrow(),
                        fields.requiredText("schedule"),
                        fields.text("document")));
    former.flatMap(Former::document).ifPresent(StoredJson::document); // answers show it unchanged
    return new HistoryMark(
        fields.instant("at").orElseThrow(),
        fields.word("change", CHANGES).orElseThrow(),
        fields.requiredText("by"),
        fields.text("note"),
        former);
  }

  /** Writes a mark. */
  public static byte[] answer(HistoryMark mark) {
    return JsonOut.object(json -> write(json, mark));
  }

  /** Writes a page of a history with its marks. */
  public static byte[] page(List<HistoryItem> items, Optional<String> nextLink) {
    return JsonOut.of(
        json ->
            JsonOut.writePage(
                json,
                items,
                (out, item) -> {
                  out.writeStartObject();
                  if (item instanceof HistoryEntry entry) {
                    HistoryCodec.writeFlat(out, entry);
                  } else if (item instanceof HistoryMark mark) {
                    write(out, mark);
                  }
                  out.writeEndObject();
                },
                nextLink));
  }

  private static void write(JsonGenerator json, HistoryMark mark) throws IOException {
    HistoryCodec.writeNoAttempt(json, mark);
    json.writeStringField("change", mark.change().word());
    json.writeStringField("by", mark.by());
    writeNote(json, mark);
    if (mark.former().isPresent()) {
      Former until = mark.former().get();
      json.writeObjectFieldStart("former");
      json.writeStringField("state", until.state().word());
      json.writeStringField("createdTime", Timestamps.format(until.created()));
      json.writeStringField("schedule", until.schedule());
      if (until.document().isPresent()) {
        json.writeFieldName("definition");
        json.writeRawValue(until.document().get());
      }
      json.writeEndObject();
    }
  }

  /**
   * Merges a history with its marks, newest first. An entry precedes a mark of the same instant.
   *
   * @param entries newest first
   * @param marks newest first
   */
  public static Stream<HistoryItem> merged(List<HistoryEntry> entries, List<HistoryMark> marks) {
    List<HistoryItem> all = new ArrayList<>(entries.size() + marks.size());
    int next = 0;
    for (HistoryEntry entry : entries) {
      while (next < marks.size() && marks.get(next).at().isAfter(entry.end())) {
        all.add(marks.get(next++));
      }
      all.add(entry);
    }
    all.addAll(marks.subList(next, marks.size()));
    return all.stream();
  }
}
