package carillon.json.schedule;

import carillon.job.name.JobException;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
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

  /** Properties of other forms with the same purpose. */
  private static final List<String> OTHERS =
      List.of("frequency", "interval", "schedule", CronCodec.EXPRESSION, CronCodec.DIALECT);

  private RruleCodec() {}

  /**
   * Reads the recurrence.
   *
   * @param fields with the rules
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

  /** Parses the rules of a recurrence; empty if it has none. */
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

  /** Writes the properties of the recurrence into the current object. */
  static void write(JsonGenerator json, RruleRecurrence recurrence) throws IOException {
    if (recurrence.isListed()) {
      JsonOut.writeTexts(json, RULES, recurrence.lines());
    } else {
      json.writeStringField(RULES, recurrence.text());
    }
  }
}
