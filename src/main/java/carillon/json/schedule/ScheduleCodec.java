package carillon.json.schedule;

import carillon.job.JobDefinition;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Recurrence;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RuleTime;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Codec of the schedule of a job: {@code startTime}, {@code timeZone}, {@code dst} and {@code
 * recurrence}, which depend on each other.
 */
public final class ScheduleCodec {
  private static final String START = "startTime";
  private static final String RECURRENCE = "recurrence";

  /** Properties that most one-time jobs do not have. */
  private static final List<String> BESIDE_START = List.of("timeZone", "dst", RECURRENCE);

  private final Dialect dialect;
  private final RecurrenceCodec recurrences;
  private final TimeZoneCodec timeZones;

  public ScheduleCodec(Dialect dialect) {
    this.dialect = dialect;
    this.recurrences = new RecurrenceCodec(dialect);
    this.timeZones = new TimeZoneCodec(dialect);
  }

  /**
   * Schedule of a job.
   *
   * @param startTime the first instant; absent means immediately
   * @param timeZone of the local times; absent for UTC
   * @param recurrence absent for a one-time job
   */
  public record JobSchedule(
      Optional<Instant> startTime,
      Optional<JobTimeZone> timeZone,
      Optional<Recurrence> recurrence) {}

  /**
   * Reads the schedule of a job.
   *
   * @param fields of the job
   * @param job whose name cron expressions may use
   */
  public JobSchedule read(JsonFields fields, JobKey job) {
    if (!fields.hasAny(BESIDE_START)) {
      return new JobSchedule(startAlone(fields), Optional.empty(), Optional.empty());
    }
    Optional<JsonFields> recurrence = fields.object(RECURRENCE);
    Optional<RecurrenceSet> rules = rules(fields, recurrence);
    Optional<JobTimeZone> timeZone = timeZone(fields, recurrence, rules);
    return new JobSchedule(
        start(fields, rules.flatMap(RecurrenceSet::start), timeZone),
        timeZone,
        fields.object(recurrence, given -> recurrences.read(given, timeZone, rules, job)));
  }

  private Optional<Instant> startAlone(JsonFields fields) {
    return dialect.isChecked() ? fields.start(Optional.empty()) : fields.storedInstant(START);
  }

  private static Optional<RecurrenceSet> rules(JsonFields fields, Optional<JsonFields> recurrence) {
    try {
      return recurrence.flatMap(RruleCodec::parse);
    } catch (JobException e) {
      fields.report(e);
      return Optional.empty();
    }
  }

  private Optional<JobTimeZone> timeZone(
      JsonFields fields, Optional<JsonFields> recurrence, Optional<RecurrenceSet> rules) {
    try {
      return timeZones.read(fields, recurrence, rules);
    } catch (JobException e) {
      fields.report(e);
      return Optional.empty();
    }
  }

  /** Returns the start time: that of the job, or the start of its recurrence rules. */
  private static Optional<Instant> start(
      JsonFields job, Optional<RuleTime> inRules, Optional<JobTimeZone> timeZone) {
    if (inRules.isPresent() && job.has(START)) {
      job.report(job.refusal(START, "does not go with DTSTART in recurrence.rrule; leave one out"));
    }
    return job.start(timeZone)
        .or(() -> inRules.map(start -> start.time().toInstant(ZoneOffset.UTC)));
  }

  /** Writes the properties before the action: the start time and the time zone. */
  public static void writeStart(JsonGenerator json, JobDefinition definition, Dialect dialect)
      throws IOException {
    if (dialect.isStored() && isMillisAlone(definition)) {
      json.writeNumberField(START, definition.startTime().get().toEpochMilli());
    } else if (definition.recurrence().filter(Recurrence::hasStart).isEmpty()) {
      writeStartTime(json, definition);
    }
    if (definition.timeZone().isPresent()) {
      TimeZoneCodec.write(json, definition.timeZone().get());
    }
  }

  /** Whether the schedule is only a start in whole milliseconds, as for most jobs. */
  private static boolean isMillisAlone(JobDefinition definition) {
    return definition.timeZone().isEmpty()
        && definition.recurrence().isEmpty()
        && definition.startTime().filter(ScheduleCodec::isWholeMillis).isPresent();
  }

  private static boolean isWholeMillis(Instant instant) {
    return instant.equals(instant.truncatedTo(ChronoUnit.MILLIS));
  }

  /** Replaces the start of a stored form by the text for clients. */
  public static void tellStart(Map<String, Object> job) {
    if (job.get(START) instanceof Long millis) {
      job.put(START, Timestamps.format(Instant.ofEpochMilli(millis)));
    }
  }

  private static void writeStartTime(JsonGenerator json, JobDefinition definition)
      throws IOException {
    Optional<LocalDateTime> local = definition.timeZone().flatMap(zone -> zone.clock().start());
    if (local.isPresent()) {
      json.writeStringField(START, Timestamps.format(local.get()));
    } else {
      JsonOut.writeInstant(json, START, definition.startTime());
    }
  }

  /** Writes the schedule as one object. */
  public static void write(JsonGenerator json, JobDefinition definition) throws IOException {
    json.writeStartObject();
    writeStart(json, definition, Dialect.NATIVE);
    writeRecurrence(json, definition);
    json.writeEndObject();
  }

  /** Writes the property after the action: the recurrence. */
  public static void writeRecurrence(JsonGenerator json, JobDefinition definition)
      throws IOException {
    if (definition.recurrence().isPresent()) {
      json.writeFieldName(RECURRENCE);
      RecurrenceCodec.write(json, definition.recurrence().get(), definition.timeZone());
    }
  }
}
