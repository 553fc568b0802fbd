package carillon.json.schedule;

import carillon.job.name.JobException;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Codec of recurrences by a cron expression. */
final class CronCodec {
  static final String EXPRESSION = "cron";
  static final String DIALECT = "cronDialect";

  private static final EnumNames<CronDialect> DIALECTS = EnumNames.of(CronDialect.class);

  /** Properties of other forms with the same purpose. */
  private static final List<String> OTHERS = List.of("frequency", "interval", "schedule");

  private CronCodec() {}

  /**
   * Reads the recurrence.
   *
   * @param fields with an expression
   * @param seed of {@code H}: the job's name
   */
  static CronRecurrence read(JsonFields fields, String seed, int count, Instant endTime) {
    for (String other : OTHERS) {
      if (fields.has(other)) {
        fields.report(
            JobException.invalid(fields.place(other) + ": does not go with cron; leave one out"));
      }
    }
    Optional<CronDialect> dialect = fields.word(DIALECT, DIALECTS);
    String expression = fields.requiredText(EXPRESSION);
    return new CronRecurrence(
        expression, dialect, rule(fields, expression, dialect, seed), count, endTime);
  }

  /** Returns the time zone in front of the expression. */
  static Optional<String> timeZone(JsonFields fields) {
    return fields.text(EXPRESSION).flatMap(CronParser::zoneOf);
  }

  private static CronRule rule(
      JsonFields fields, String expression, Optional<CronDialect> dialect, String seed) {
    try {
      return CronParser.parse(expression, dialect, seed);
    } catch (IllegalArgumentException e) {
      throw fields.refusal(EXPRESSION, "cannot be read: " + e.getMessage());
    }
  }

  /** Writes the properties of the recurrence into the current object. */
  static void write(JsonGenerator json, CronRecurrence recurrence) throws IOException {
    json.writeStringField(EXPRESSION, recurrence.text());
    if (recurrence.dialect().isPresent()) {
      json.writeStringField(DIALECT, recurrence.dialect().get().word());
    }
  }
}
