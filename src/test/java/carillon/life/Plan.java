package carillon.life;

import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.OccurrencePolicy;
import carillon.json.StoredJson;
import carillon.recurrence.PeriodicRecurrence;
import java.time.Duration;
import java.time.Instant;

/**
 * When a job is due, by plain arithmetic: once, or every so many seconds from its start on.
 *
 * @param every seconds; 0 for once
 * @param count how often, 0 for ever
 * @param within how late an occurrence may be begun, zero for any time
 * @param pace how far apart the missed ones are begun, zero where only the latest is
 * @param exclusive whether its executions must not overlap
 */
record Plan(
    Instant start, long every, int count, Duration within, Duration pace, boolean exclusive) {
  /** Of a stored definition with a start, and a frequency of seconds if it recurs. */
  static Plan of(String stored) {
    JobDefinition job = StoredJson.readJob(new JobKey("s/g/c/j"), stored);
    Duration within = job.occurrences().startWithin().orElse(Duration.ZERO);
    Duration pace =
        job.occurrences()
            .missed()
            .filter(missed -> missed.run() == OccurrencePolicy.Run.ALL)
            .map(OccurrencePolicy.Missed::pace)
            .orElse(Duration.ZERO);
    return job.recurrence()
        .map(
            r ->
                new Plan(
                    job.startTime().orElseThrow(),
                    ((PeriodicRecurrence) r).interval(),
                    r.count(),
                    within,
                    pace,
                    job.occurrences().overlap().isPresent()))
        .orElseGet(() -> new Plan(job.startTime().orElseThrow(), 0, 0, within, pace, false));
  }

  boolean isOnce() {
    return every == 0;
  }

  /** Whether it is too late to begin an occurrence. */
  boolean isExpired(Instant occurrence, Instant now) {
    return !within.isZero() && now.isAfter(occurrence.plus(within));
  }

  /** Whether a recurring job is due then. */
  boolean has(Instant instant) {
    Duration since = Duration.between(start, instant);
    return !since.isNegative() && since.toNanosPart() == 0 && since.toSeconds() % every == 0;
  }

  /** The first instant of a recurring job that is not before this one. */
  Instant atOrAfter(Instant instant) {
    if (!instant.isAfter(start)) {
      return start;
    }
    Duration since = Duration.between(start, instant);
    long steps = since.toSeconds() / every;
    Instant before = start.plusSeconds(steps * every);
    return before.equals(instant) ? before : before.plusSeconds(every);
  }
}
