package carillon.json;

import carillon.job.JobException;
import carillon.job.Pause;
import carillon.job.Pause.PauseOptions;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Codec of pauses: what a client says when it disables something, and what is answered of it. */
public final class PauseCodec {
  /** The property that holds a pause. It is answered, and may come back. */
  static final String NAME = "pause";

  private static final String NOTE = "note";
  private static final String UNTIL = "until";
  private static final Set<String> KNOWN = Set.of(NOTE, UNTIL);
  private static final EnumNames<Pause.Reason> REASONS = EnumNames.of(Pause.Reason.class);
  private static final int MAX_NOTE = 500;
  private static final Duration LONGEST = Duration.ofDays(3660);

  private PauseCodec() {}

  /**
   * Reads the body of a request to disable, which may be empty. Refuses with INVALID what breaks a
   * rule.
   */
  public static PauseOptions read(byte[] json, Dialect dialect, Instant now) {
    if (json.length == 0) {
      return PauseOptions.NONE;
    }
    JsonFields fields = JsonFields.root(StrictJsonParser.parse(json, "Malformed pause"));
    fields.allowOnly(KNOWN, dialect);
    Optional<String> note = fields.text(NOTE);
    note.ifPresent(text -> checkNote(fields, text));
    Optional<Instant> until = fields.instant(UNTIL);
    until.ifPresent(instant -> checkUntil(fields, instant, now));
    return new PauseOptions(note, until);
  }

  /**
   * Refuses a pause in a document, which would be dropped in silence. One that was answered, which
   * says since when, may come back.
   */
  static void checkSubmitted(JsonFields document) {
    if (document.object(NAME).filter(pause -> !pause.has("since")).isPresent()) {
      document.report(document.refusal(NAME, "does not disable it; POST .../disable does"));
    }
  }

  private static void checkNote(JsonFields fields, String note) {
    if (note.isBlank()) {
      throw JobException.invalid(NOTE + ": must not be empty; leave it out instead");
    }
    fields.checkControls(NOTE, note);
    fields.checkLength(NOTE, note, MAX_NOTE);
  }

  private static void checkUntil(JsonFields fields, Instant until, Instant now) {
    if (!until.isAfter(now)) {
      throw fields.refusal(UNTIL, "must be later than now, " + Timestamps.format(now));
    }
    if (until.isAfter(now.plus(LONGEST))) {
      throw fields.refusal(UNTIL, "must be at most " + LONGEST.toDays() + " days ahead");
    }
  }

  /** Reads the stored form, which is that of answers. */
  static Pause read(JsonFields fields) {
    return new Pause(
        fields.instant("since").orElseThrow(),
        fields.requiredText("by"),
        fields.text(NOTE),
        fields.instant(UNTIL),
        fields.requiredWord("reason", REASONS));
  }

  /** Writes the pause as one object. */
  static void write(JsonGenerator json, Pause pause) throws IOException {
    json.writeStartObject();
    JsonOut.writeInstant(json, "since", Optional.of(pause.since()));
    json.writeStringField("by", pause.by());
    if (pause.note().isPresent()) {
      json.writeStringField(NOTE, pause.note().get());
    }
    JsonOut.writeInstant(json, UNTIL, pause.until());
    json.writeStringField("reason", pause.reason().word());
    json.writeEndObject();
  }
}
