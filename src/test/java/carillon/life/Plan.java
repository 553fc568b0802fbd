package carillon.life;

import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy;
import carillon.job.attempt.Attempt;
import carillon.job.name.JobKey;
import carillon.json.StoredJson;
import carillon.recurrence.PeriodicRecurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Instants at which a job is due, by plain arithmetic: once, or at a fixed interval from its start.
 *
 * @param every seconds; 0 for once
 * @param count how often, 0 for no limit
 * @param within how late an occurrence may be begun, zero for any time
 * @param most how many of the missed ones are begun, the newest
 * @param pace how far apart the missed ones are begun, zero where only the latest is
 * @param exclusive whether its executions must not overlap
 * @param failures number of failures in a row that disable it, 0 for any number
 * @param flow that its calls pass, empty for none
 */
record Plan(
    Instant start,
    long every,
    int count,
    Duration within,
    int most,
    Duration pace,
    boolean exclusive,
    int failures,
    String flow) {
  /** Lateness that still counts as in time if no missed occurrences are made up. */
  private static final Duration IN_TIME = Duration.ofMinutes(1);

  /** Reads a stored definition with a start, and a frequency in seconds if it recurs. */
  static Plan of(String stored) {
    JobDefinition job = StoredJson.readJob(new JobKey("s/g/c/j"), stored);
    Optional<OccurrencePolicy.Missed> missed = job.occurrences().missed();
    Duration within =
        missed.filter(given -> given.run() == OccurrencePolicy.Catchup.NONE).isPresent()
            ? IN_TIME
            : job.occurrences().startWithin().orElse(Duration.ZERO);
    Optional<OccurrencePolicy.Missed> all =
        missed.filter(given -> given.run() == OccurrencePolicy.Catchup.ALL);
    int most = all.map(OccurrencePolicy.Missed::max).orElse(1);
    Duration pace = all.map(OccurrencePolicy.Missed::pace).orElse(Duration.ZERO);
    String flow = job.action(Attempt.Phase.MAIN).flow().orElse("");
    return job.recurrence()
        .map(
            r ->
                new Plan(
                    job.startTime().orElseThrow(),
                    ((PeriodicRecurrence) r).interval(),
                    r.count(),
                    within,
                    most,
                    pace,
                    job.occurrences().overlap().isPresent(),
                    job.pauseAfterFailures().orElse(0),
                    flow))
        .orElseGet(
            () ->
                new Plan(job.startTime().orElseThrow(), 0, 0, within, most, pace, false, 0, flow));
  }

  boolean isOnce() {
    return every == 0;
  }

  /** Whether it is too late to begin an occurrence. */
  boolean isExpired(Instant occurrence, Instant now) {
    return !within.isZero() && now.isAfter(occurrence.plus(within));
  }

  /** Whether a recurring job is due at this instant. */
  boolean has(Instant instant) {
    Duration since = Duration.between(start, instant);
    return !since.isNegative() && since.toNanosPart() == 0 && since.toSeconds() % every == 0;
  }

  /**
   * Returns the first instant that a node begins after it claimed one of a recurring job. Considers
   * the newest {@code begun} instants from the claimed one to now, except those that are too late.
   * If all are too late, the latest instant is returned.
   */
  Instant firstBegun(Instant claimed, Instant now, int begun) {
    Instant first = claimed;
    while (!first.plusSeconds(every).isAfter(now)) {
      first = first.plusSeconds(every);
    }
    for (int i = 1; i < begun; i++) {
      Instant before = first.minusSeconds(every);
      if (before.isBefore(claimed) || isExpired(before, now)) {
        break;
      }
      first = before;
    }
    return first;
  }

  /** Returns the first instant of a recurring job that is not before this one. */
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
