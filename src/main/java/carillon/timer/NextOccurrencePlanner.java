package carillon.timer;

import carillon.job.JobDefinition;
import carillon.job.OccurrencePolicy;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.attempt.HistoryEntry.Skip;
import carillon.job.name.JobKey;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Timetable;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import carillon.store.attempt.NextOccurrence.Fate;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Plans the occurrence after a claimed one: decides which missed occurrences run late, and when the
 * next one is due. Uses no clock, Redis or threads.
 */
final class NextOccurrencePlanner {
  private final Supplier<CalendarDirectory> calendars;

  /**
   * Creates a planner.
   *
   * @param calendars returns the calendars that this node knows now
   */
  NextOccurrencePlanner(Supplier<CalendarDirectory> calendars) {
    this.calendars = calendars;
  }

  /** Whether a calendar of the job cannot be read, so that it may exclude the occurrence. */
  boolean awaitsCalendar(Attempt attempt, JobDefinition definition) {
    return definition
        .occurrences()
        .calendars()
        .flatMap(named -> calendars.get().unreadable(new JobKey(attempt.job()).group(), named))
        .isPresent();
  }

  /** Timetable of a job, without the exclusions of the calendars that this node knows now. */
  Timetable timetable(Attempt attempt, ClaimedAttempt.Job job, JobDefinition definition) {
    return definition.timetable(job.created(), new JobKey(attempt.job()), calendars.get());
  }

  /**
   * Plans the occurrence after a claimed one.
   *
   * @param skips whether the claimed one is skipped because its collection is disabled
   * @param now when it was claimed
   */
  NextOccurrence plan(
      Attempt attempt,
      ClaimedAttempt.Job job,
      JobDefinition definition,
      boolean skips,
      Instant now) {
    Timetable timetable = timetable(attempt, job, definition);
    Fate fate = fate(attempt, definition, skips);
    if (timetable.drifts()) {
      Optional<Instant> next = timetable.awaitedAfter(now);
      return new NextOccurrence(
          attempt,
          next,
          next.map(definition.occurrences()::planned),
          local(next, job, definition),
          fate,
          0,
          Optional.empty());
    }
    OccurrencePolicy policy = definition.occurrences();
    boolean catchesUp = policy.runsAllMissed() && !skips;
    Instant latest = latest(attempt.dueAt(), timetable, policy, now);
    Instant first =
        catchesUp ? firstToCatchUp(attempt.dueAt(), latest, timetable, policy, now) : latest;
    long skipped =
        first.equals(attempt.dueAt())
            ? 0
            : timetable.between(attempt.dueAt(), first, HistoryEntry.MAX_COUNTED);
    Attempt moved = attempt.movedTo(first);
    Optional<HistoryEntry> entry =
        skipped == 0
            ? Optional.empty()
            : Optional.of(
                missed(
                    attempt,
                    skip(skipped, attempt.dueAt(), first, timetable),
                    missed(definition) + "; " + tail(first, latest, policy, skips, now),
                    now));
    Optional<Instant> next = timetable.awaitedAfter(first);
    Optional<Instant> planned = next.map(policy::planned);
    Optional<Instant> due = catchesUp ? planned.map(at -> paced(at, policy, now)) : planned;
    return new NextOccurrence(moved, next, due, local(next, job, definition), fate, skipped, entry);
  }

  /** Returns the latest due occurrence, or the claimed one if none is later. */
  private static Instant latest(
      Instant claimed, Timetable timetable, OccurrencePolicy policy, Instant now) {
    Optional<Instant> latest = timetable.latest(now).filter(claimed::isBefore);
    while (latest.isPresent() && policy.planned(latest.get()).isAfter(now)) {
      latest = timetable.latest(latest.get().minusNanos(1)).filter(claimed::isBefore);
    }
    return latest.orElse(claimed);
  }

  /**
   * Returns the oldest occurrence to perform if all missed ones are performed. The policy limits
   * their number, and expired ones are left out.
   */
  private static Instant firstToCatchUp(
      Instant claimed, Instant latest, Timetable timetable, OccurrencePolicy policy, Instant now) {
    int max = policy.missed().orElseThrow().max();
    if (timetable.between(claimed, latest, max) < max && !policy.isExpired(claimed, now)) {
      return claimed;
    }
    Instant first = latest;
    for (int taken = 1; taken < max; taken++) {
      Optional<Instant> before =
          timetable
              .latest(first.minusNanos(1))
              .filter(at -> !at.isBefore(claimed) && !policy.isExpired(at, now));
      if (before.isEmpty()) {
        break;
      }
      first = before.get();
    }
    return first;
  }

  /** Returns when a missed occurrence is performed after another. */
  private static Instant paced(Instant planned, OccurrencePolicy policy, Instant now) {
    return planned.isAfter(now) ? planned : now.plus(policy.missed().orElseThrow().pace());
  }

  /** Local time of the next occurrence of a job with a time zone; empty for other jobs. */
  private static Optional<String> local(
      Optional<Instant> next, ClaimedAttempt.Job job, JobDefinition definition) {
    return definition
        .timeZone()
        .map(zone -> next.flatMap(at -> definition.localOf(at, job.created())))
        .map(known -> known.map(OffsetDateTime::toString).orElse(NextOccurrence.NO_LOCAL));
  }

  private static Fate fate(Attempt attempt, JobDefinition definition, boolean skips) {
    if (skips) {
      return Fate.SKIPPED;
    }
    return definition.isBeyondCount(attempt.occurrence() + 1) ? Fate.LAST : Fate.PERFORMED;
  }

  /** Missed occurrences from the claimed one to the last before the first performed one. */
  private static Skip skip(long count, Instant claimed, Instant first, Timetable timetable) {
    return new Skip(count, timetable.latest(first.minusNanos(1)).orElse(claimed));
  }

  private static HistoryEntry missed(Attempt attempt, Skip skip, String what, Instant now) {
    String text = skip.were(attempt.dueAt()) + " " + what;
    return HistoryEntry.skipped(attempt, skip, now, Reason.MISSED, text);
  }

  /**
   * Returns the reason as far as a claim shows it: no node, or an earlier occurrence that waited
   * for a flow.
   */
  private static String missed(JobDefinition definition) {
    return definition
        .action()
        .flow()
        .map(flow -> "missed: no node was there, or the job waited for its flow '" + flow + "'")
        .orElse("missed");
  }

  /** Describes the occurrences after the missed ones. */
  private static String tail(
      Instant first, Instant latest, OccurrencePolicy policy, boolean skips, Instant now) {
    if (skips || policy.isExpired(first, now)) {
      return "the latest, of " + latest + ", is not performed either";
    }
    return first.equals(latest)
        ? "the latest, of " + latest + ", runs late"
        : "those from " + first + " on run late";
  }
}
