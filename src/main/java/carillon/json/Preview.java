package carillon.json;

import carillon.job.Action;
import carillon.job.HttpCall;
import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.RetryPolicy;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.Timetable;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Preview of a recurrence: when a job would run, without one. The document holds the {@code
 * startTime} and {@code recurrence} of a job, and may hold {@code now}, the moment of submission to
 * assume, {@code job}, the full name that {@code H} of a cron expression is for, and {@code top},
 * how many occurrences to list.
 */
public final class Preview {
  private static final Set<String> KNOWN =
      Set.of("startTime", "timeZone", "dst", "recurrence", "job", "now", "top");
  private static final int DEFAULT_TOP = 10;
  private static final int MAX_TOP = 1000;

  /** A definition needs an action; this one is never performed. */
  private static final Action NOTHING =
      new Action(
          new HttpCall(false, "http://localhost/", "GET", Map.of(), Optional.empty()),
          RetryPolicy.NONE);

  private final RecurrenceCodec recurrences = new RecurrenceCodec(Dialect.NATIVE);
  private final TimeZoneCodec timeZones = new TimeZoneCodec(Dialect.NATIVE);
  private final ScheduleLimits scheduleLimits;

  public Preview(SubmissionLimits limits) {
    this.scheduleLimits = new ScheduleLimits(limits);
  }

  /** The occurrences, as a document. Refuses what a submission of such a job would refuse. */
  public byte[] answer(byte[] json, Instant now) {
    JsonFields fields = JsonFields.root(StrictJsonParser.parse(json, "Malformed preview"));
    fields.allowOnly(KNOWN, Dialect.NATIVE);
    Instant submitted = fields.instant("now").orElse(now);
    int top = fields.integer("top", 1, MAX_TOP).orElse(DEFAULT_TOP);
    JobKey job = new JobKey(fields.text("job").orElse(""));
    Optional<JsonFields> recurrence = fields.object("recurrence");
    Optional<JobTimeZone> timeZone = timeZones.read(fields, recurrence);
    JobDefinition definition =
        new JobDefinition(
            fields.start(timeZone),
            NOTHING,
            Optional.empty(),
            recurrence.map(given -> recurrences.read(given, timeZone, job)),
            Optional.empty(),
            timeZone);
    scheduleLimits.check(definition, submitted, submitted);
    Timetable timetable = definition.timetable(submitted);
    OccurrencesWriter writer =
        new OccurrencesWriter(
            definition, timetable, start(definition, submitted), timetable.preview(submitted, top));
    return JsonOut.object(writer::writeFields);
  }

  private static Instant start(JobDefinition definition, Instant submitted) {
    return definition.startTime().filter(submitted::isBefore).orElse(submitted);
  }
}
