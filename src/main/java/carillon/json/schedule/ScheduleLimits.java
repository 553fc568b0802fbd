package carillon.json.schedule;

import carillon.job.JobDefinition;
import carillon.job.name.JobException;
import carillon.json.text.JsonFields;
import carillon.json.text.SubmissionLimits;
import carillon.json.text.Timestamps;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.JobTimeZone;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.cron.CronRule;
import carillon.recurrence.timetable.Timetable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * Limits of a schedule that depend on the moment of its submission: the horizon, and at least one
 * future occurrence.
 */
public final class ScheduleLimits {
  private final SubmissionLimits limits;

  public ScheduleLimits(SubmissionLimits limits) {
    this.limits = limits;
  }

  /**
   * Checks a schedule, and returns the first occurrence.
   *
   * @param created when the job was created; {@code now} for a new one
   */
  public Instant check(JobDefinition definition, Instant created, Instant now) {
    Instant start = definition.startTime().filter(given -> given.isAfter(now)).orElse(now);
    if (isBeyondHorizon(now, start)) {
      throw tooFar("startTime", sentStart(definition, start), " days ahead");
    }
    checkEnd(definition, start);
    if (definition.startTime().isPresent()
        && definition.recurrence().filter(ScheduleLimits::isSingleTime).isPresent()) {
      throw JobException.invalid(
          "startTime: does not go with recurrence.cron at(...); leave one out");
    }
    Timetable timetable = definition.timetable(created);
    if (definition.recurrence().isPresent() && !timetable.everMatches()) {
      throw noMatch(definition.recurrence().get());
    }
    OccurrencePolicyCodec.check(definition, created);
    return timetable.first(now).orElseThrow(() -> noOccurrence(definition, created, now));
  }

  private static boolean isSingleTime(Recurrence recurrence) {
    return recurrence instanceof CronRecurrence cron && cron.rule() instanceof CronRule.Once;
  }

  private static JobException noMatch(Recurrence recurrence) {
    if (recurrence instanceof PeriodicRecurrence) {
      return JobException.invalid("recurrence.schedule: must match some day; no day ever does");
    }
    return recurrence instanceof CronRecurrence cron
        ? neverMatches(CronCodec.EXPRESSION, cron.text())
        : neverMatches(RruleCodec.RULES, ((RruleRecurrence) recurrence).text());
  }

  private static JobException neverMatches(String field, String text) {
    return JsonFields.refuse(
        "recurrence." + field, text, "must match some time to come; none ever does");
  }

  /** Checks the service's recurrence span: from the start to the end. */
  private void checkEnd(JobDefinition definition, Instant start) {
    Instant end = end(definition);
    if (!end.equals(Recurrence.NO_END) && isBeyondHorizon(start, end)) {
      throw tooFar("recurrence.endTime", sentEnd(definition, end), " days after the start");
    }
  }

  private static Instant end(JobDefinition definition) {
    return definition.recurrence().map(Recurrence::endTime).orElse(Recurrence.NO_END);
  }

  /** Returns the start as it was sent: a local time without an offset. */
  private static String sentStart(JobDefinition definition, Instant start) {
    return sent(definition.timeZone().flatMap(zone -> zone.clock().start()), start);
  }

  private static String sentEnd(JobDefinition definition, Instant end) {
    return sent(definition.timeZone().flatMap(zone -> zone.clock().end()), end);
  }

  private static String sent(Optional<LocalDateTime> local, Instant instant) {
    return local.map(Timestamps::format).orElseGet(() -> Timestamps.format(instant));
  }

  private boolean isBeyondHorizon(Instant from, Instant instant) {
    return instant.isAfter(from.plus(limits.horizon()));
  }

  private JobException tooFar(String place, String sent, String what) {
    return JsonFields.refuse(place, sent, "must be at most " + limits.horizon().toDays() + what);
  }

  private static JobException noOccurrence(JobDefinition definition, Instant created, Instant now) {
    Instant end = end(definition);
    return end.equals(Recurrence.NO_END)
        ? JobException.invalid("recurrence: it has no occurrence before the year 10000")
        : JsonFields.refuse(
            "recurrence.endTime",
            sentEnd(definition, end),
            "must not be before the first occurrence from "
                + Timestamps.format(now)
                + " on"
                + firstWithoutEnd(definition, created, now)
                    .map(first -> ", " + Timestamps.format(first))
                    .orElse(""));
  }

  private static Optional<Instant> firstWithoutEnd(
      JobDefinition definition, Instant created, Instant now) {
    return Timetable.of(
            definition.recurrence().orElseThrow().withoutEnd(),
            definition.startTime().orElse(Timetable.NO_START),
            created,
            definition.timeZone().map(JobTimeZone::clock))
        .first(now);
  }
}
