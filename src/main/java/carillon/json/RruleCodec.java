package carillon.json;

import carillon.job.JobException;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RruleParser;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Codec of recurrences by rules of iCalendar. */
final class RruleCodec {
  static final String RULES = "rrule";

  /** What says the same in another way. */
  private static final List<String> OTHERS =
      List.of("frequency", "interval", "schedule", CronCodec.EXPRESSION, CronCodec.DIALECT);

  private RruleCodec() {}

  /**
   * Reads the recurrence.
   *
   * @param fields that have the rules
   */
  static RruleRecurrence read(JsonFields fields, RecurrenceSet rules, int count, Instant endTime) {
    for (String other : OTHERS) {
      if (fields.has(other)) {
        fields.report(
            JobException.invalid(fields.place(other) + ": does not go with rrule; leave one out"));
      }
    }
    return new RruleRecurrence(fields.texts(RULES), !fields.isText(RULES), rules, count, endTime);
  }

  /** Parses the rules of a recurrence; empty where it has none. */
  static Optional<RecurrenceSet> parse(JsonFields fields) {
    if (!fields.has(RULES)) {
      return Optional.empty();
    }
    try {
      return Optional.of(RruleParser.parse(String.join("\n", fields.texts(RULES))));
    } catch (IllegalArgumentException e) {
      throw JobException.invalid(fields.place(RULES) + ": cannot be read: " + e.getMessage());
    }
  }

  /** Writes its properties into the object at hand. */
  static void write(JsonGenerator json, RruleRecurrence recurrence) throws IOException {
    if (recurrence.isListed()) {
      JsonOut.writeTexts(json, RULES, recurrence.lines());
    } else {
      json.writeStringField(RULES, recurrence.text());
    }
  }
}
