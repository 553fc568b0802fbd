package carillon.json;

import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.recurrence.CronRecurrence;
import carillon.recurrence.PeriodicRecurrence;
import carillon.recurrence.Recurrence;
import carillon.recurrence.RruleRecurrence;
import carillon.recurrence.Timetable;
import carillon.recurrence.cron.CronRule;
import java.time.Instant;

/**
 * Limits of a schedule that depend on the moment of its submission: the horizon, and that something
 * is to come.
 */
public final class ScheduleLimits {
  private final SubmissionLimits limits;

  public ScheduleLimits(SubmissionLimits limits) {
    this.limits = limits;
  }

  /**
   * The first occurrence.
   *
   * @param created since when the job exists; {@code now} for a new one
   */
  public Instant check(JobDefinition definition, Instant created, Instant now) {
    Instant start = definition.startTime().filter(given -> given.isAfter(now)).orElse(now);
    if (isBeyondHorizon(now, start)) {
      throw tooFar("startTime", start, " days ahead");
    }
    definition.recurrence().ifPresent(recurrence -> checkEnd(recurrence, start));
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
    return timetable.first(now).orElseThrow(() -> noOccurrence(definition, now));
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

  /** The service's recurrence span: from the start to the end. */
  private void checkEnd(Recurrence recurrence, Instant start) {
    Instant end = recurrence.endTime();
    if (!end.equals(Recurrence.NO_END) && isBeyondHorizon(start, end)) {
      throw tooFar("recurrence.endTime", end, " days after the start");
    }
  }

  private boolean isBeyondHorizon(Instant from, Instant instant) {
    return instant.isAfter(from.plus(limits.horizon()));
  }

  private JobException tooFar(String place, Instant instant, String what) {
    return JsonFields.refuse(
        place, Timestamps.format(instant), "must be at most " + limits.horizon().toDays() + what);
  }

  private static JobException noOccurrence(JobDefinition definition, Instant now) {
    Instant end = definition.recurrence().map(Recurrence::endTime).orElse(Recurrence.NO_END);
    return end.equals(Recurrence.NO_END)
        ? JobException.invalid("recurrence: it has no occurrence before the year 10000")
        : JsonFields.refuse(
            "recurrence.endTime",
            Timestamps.format(end),
            "must not be before the first occurrence from " + Timestamps.format(now) + " on");
  }
}
