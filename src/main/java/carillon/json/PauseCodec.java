package carillon.json;

import carillon.job.Pause;
import carillon.job.Pause.PauseOptions;
import carillon.job.collection.Hold;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Codec of pauses: options of a request to disable, and pauses in answers. */
public final class PauseCodec {
  /** Property for a pause. Answers contain it, and requests may repeat it. */
  static final String NAME = "pause";

  /**
   * Property for the pause that holds a job back. Answers contain it, and requests may repeat it.
   */
  static final String WAITS = "waits";

  private static final String NOTE = "note";
  private static final String UNTIL = "until";
  private static final String FROM = "from";
  private static final String PLANNED = "planned";
  private static final Set<String> KNOWN = Set.of(NOTE, UNTIL);
  private static final Set<String> KNOWN_OF_PLANNED = Set.of(NOTE, FROM, UNTIL);
  private static final EnumNames<Pause.Reason> REASONS = EnumNames.of(Pause.Reason.class);
  private static final int MAX_NOTE = 500;
  private static final Duration LONGEST = Duration.ofDays(3660);

  private PauseCodec() {}

  /**
   * Reads the body of a request to disable, which may be empty. Refuses a body that breaks a rule
   * with INVALID.
   */
  public static PauseOptions read(byte[] json, Dialect dialect, Instant now) {
    JsonFields fields = fields(json);
    fields.allowOnly(KNOWN, dialect);
    return options(fields, Optional.empty(), now);
  }

  /** Reads the body of a request to disable, which may contain the start of the pause. */
  static PauseOptions readPlanned(byte[] json, Instant now) {
    JsonFields fields = fields(json);
    fields.allowOnly(KNOWN_OF_PLANNED, Dialect.NATIVE);
    Optional<Instant> from = fields.instant(FROM);
    from.ifPresent(instant -> checkInstant(fields, FROM, instant, now));
    return options(fields, from, now);
  }

  private static JsonFields fields(byte[] json) {
    return JsonFields.root(
        json.length == 0 ? Map.of() : StrictJsonParser.parse(json, "Malformed pause"));
  }

  private static PauseOptions options(JsonFields fields, Optional<Instant> from, Instant now) {
    Optional<String> note = fields.text(NOTE);
    note.ifPresent(text -> checkNote(fields, text));
    Optional<Instant> until = fields.instant(UNTIL);
    until.ifPresent(instant -> checkUntil(fields, instant, from.orElse(now), now));
    return new PauseOptions(note, from, until);
  }

  /**
   * Reads the body of a request to pause a group or everything, which may be empty.
   *
   * @param current pause to replace; a pause that has begun continues
   */
  public static Pause readScope(byte[] json, Optional<Pause> current, String by, Instant now) {
    Optional<Pause> goingOn = current.filter(pause -> !pause.isDamaged() && pause.goesOn(now));
    PauseOptions options = readPlanned(json, now);
    if (goingOn.isPresent() && options.equals(PauseOptions.NONE)) {
      return goingOn.get();
    }
    return options.pause(current, by, now);
  }

  /** Writes the pause of a group or of everything. */
  public static byte[] scope(Optional<Pause> pause) {
    return JsonOut.object(
        json -> {
          if (pause.isPresent()) {
            json.writeFieldName(NAME);
            write(json, pause.get());
          }
        });
  }

  /** Writes the list of the pauses of groups and of everything. */
  public static byte[] scopes(List<Hold> pauses) {
    return JsonOut.object(
        json -> {
          json.writeFieldName("value");
          JsonOut.writeItems(json, pauses, PauseCodec::writeHold);
        });
  }

  /**
   * Refuses a pause in a document, because it would be ignored silently. A pause from an answer,
   * which contains {@code since}, is allowed.
   */
  static void checkSubmitted(JsonFields document) {
    if (document.object(NAME).filter(pause -> !pause.has("since")).isPresent()) {
      document.report(document.refusal(NAME, "does not disable it; POST .../disable does"));
    }
  }

  /** Writes the pause that holds a job back, if there is one. */
  public static void writeWaits(JsonGenerator json, Optional<Hold> hold) throws IOException {
    if (hold.isEmpty()) {
      return;
    }
    json.writeFieldName(WAITS);
    writeHold(json, hold.get());
  }

  private static void writeHold(JsonGenerator json, Hold hold) throws IOException {
    json.writeStartObject();
    json.writeStringField("for", hold.level().word());
    if (!hold.name().isEmpty()) {
      json.writeStringField("name", hold.name());
    }
    if (hold.pause().isPresent()) {
      writeFields(json, hold.pause().get());
      writePlanned(json, hold.pause().get());
    }
    json.writeEndObject();
  }

  private static void checkNote(JsonFields fields, String note) {
    if (note.isBlank()) {
      throw JobException.invalid(NOTE + ": must not be empty; leave it out instead");
    }
    fields.checkControls(NOTE, note);
    fields.checkLength(NOTE, note, MAX_NOTE);
  }

  private static void checkUntil(JsonFields fields, Instant until, Instant from, Instant now) {
    checkInstant(fields, UNTIL, until, now);
    if (!until.isAfter(from)) {
      throw fields.refusal(UNTIL, "must be later than from, " + Timestamps.format(from));
    }
  }

  private static void checkInstant(JsonFields fields, String name, Instant instant, Instant now) {
    if (!instant.isAfter(now)) {
      throw fields.refusal(name, "must be later than now, " + Timestamps.format(now));
    }
    if (instant.isAfter(now.plus(LONGEST))) {
      throw fields.refusal(name, "must be at most " + LONGEST.toDays() + " days ahead");
    }
  }

  /** Reads the stored form, which is the same as in answers. */
  static Pause read(JsonFields fields) {
    return new Pause(
        fields.instant("since").orElseThrow(),
        fields.requiredText("by"),
        fields.text(NOTE),
        fields.instant(UNTIL),
        fields.requiredWord("reason", REASONS),
        fields.object(PLANNED).map(PauseCodec::read));
  }

  /** Writes the pause as one object. */
  static void write(JsonGenerator json, Pause pause) throws IOException {
    json.writeStartObject();
    writeFields(json, pause);
    json.writeStringField("reason", pause.reason().word());
    writePlanned(json, pause);
    json.writeEndObject();
  }

  private static void writePlanned(JsonGenerator json, Pause pause) throws IOException {
    if (pause.planned().isPresent()) {
      json.writeFieldName(PLANNED);
      write(json, pause.planned().get());
    }
  }

  private static void writeFields(JsonGenerator json, Pause pause) throws IOException {
    JsonOut.writeInstant(json, "since", Optional.of(pause.since()));
    json.writeStringField("by", pause.by());
    if (pause.note().isPresent()) {
      json.writeStringField(NOTE, pause.note().get());
    }
    JsonOut.writeInstant(json, UNTIL, pause.until());
  }
}
