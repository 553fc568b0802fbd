package carillon.job;

import carillon.recurrence.Timetable;
import java.time.Instant;
import java.util.Optional;

/**
 * Plan of what becomes of a job's occurrences when its definition changes. What was due before it
 * belongs to the old definition: it is begun already, or is recorded as skipped. What is due
 * afterwards belongs to the new one, and is later than everything that was begun, whatever the
 * clock says. Knows no clock and no Redis.
 *
 * @param seen the job as it is
 * @param definition the new one
 * @param state the new one
 * @param replaces whether the job begins anew (PUT)
 * @param now the moment of the change; not ahead of Redis' clock
 * @param notAfter what is due up to here may be due by Redis' clock; not before {@code now}
 */
public record Rescheduling(
    JobVersion seen,
    JobDefinition definition,
    JobState state,
    boolean replaces,
    Instant now,
    Instant notAfter) {
  /** Dropped occurrences are counted up to here; beyond it the record says "at least". */
  private static final long COUNTED = 10_000;

  /**
   * The schedule from the change on.
   *
   * @param next the next occurrence as the job tells it
   * @param waits whether it is to wait for its instant
   * @param released the attempt that waits from now on instead
   * @param occurrence the number of the next occurrence
   * @param claimedOccurrence see {@link JobVersion#claimedOccurrence}
   * @param attemptRevision see {@link JobVersion#attemptRevision}
   * @param heldAttempt see {@link JobVersion#heldAttempt}
   * @param skipped how many occurrences the change drops that were due and not begun
   * @param entry what the history keeps of those
   */
  public record Result(
      Optional<Instant> next,
      boolean waits,
      Optional<Attempt> released,
      int occurrence,
      Optional<Instant> claimedOccurrence,
      Optional<Long> attemptRevision,
      Optional<Attempt> heldAttempt,
      long skipped,
      Optional<HistoryEntry> entry) {}

  /**
   * The first occurrence of a job that was not there. Fails with CONFLICT when there is none.
   *
   * @param now the moment of the change
   */
  public static Optional<Instant> first(
      JobName name, JobDefinition definition, JobState state, Instant now) {
    return state == JobState.ENABLED
        ? Optional.of(definition.timetable(now).first(now).orElseThrow(() -> over(name)))
        : Optional.empty();
  }

  /** Fails with CONFLICT when the job is to be enabled and no occurrence of it is left. */
  public Result result(JobName name) {
    return seen.begun().filter(this::goesOn).isPresent() ? goingOn() : another(name);
  }

  /**
   * Whether the only occurrence of a one-time job is under way, and the new definition asks for no
   * other: then the execution goes on, by the new definition and with the same execution id.
   */
  private boolean goesOn(Instant nominal) {
    return !isRecurring(old())
        && !isRecurring(definition)
        && definition
            .startTime()
            .map(start -> !start.isAfter(nominal))
            .orElse(!replaces && (state == JobState.DISABLED || seen.heldAttempt().isPresent()));
  }

  private Result goingOn() {
    boolean enabled = state == JobState.ENABLED;
    return new Result(
        seen.begun(),
        false,
        seen.heldAttempt().filter(attempt -> enabled),
        occurrence(),
        seen.begun(),
        seen.attemptRevision().or(() -> seen.job().map(StoredJob::revision)),
        seen.heldAttempt().filter(attempt -> !enabled),
        0,
        Optional.empty());
  }

  private Result another(JobName name) {
    Optional<Instant> kept = overdue().filter(this::stays);
    Optional<Instant> next = kept.or(() -> computed(name));
    Optional<Instant> dropped = kept.isPresent() ? Optional.empty() : firstDropped(next);
    long skipped = dropped.map(from -> countFrom(from, next)).orElse(0L);
    Optional<HistoryEntry> entry =
        seen.heldAttempt().map(this::entry).or(() -> dropped.map(from -> entry(from, skipped)));
    return new Result(
        next,
        state == JobState.ENABLED,
        Optional.empty(),
        occurrence(),
        seen.latest(),
        Optional.empty(),
        Optional.empty(),
        entry.isPresent() ? Math.max(1, skipped) : 0,
        entry);
  }

  private Optional<Instant> overdue() {
    return seen.owed().filter(this::isDue);
  }

  private boolean isDue(Instant instant) {
    return !instant.isAfter(notAfter);
  }

  /**
   * Whether an occurrence that is due and not begun is the one that the new definition asks for at
   * once: the only one of a one-time job, or one that comes from the submission and not from a
   * start time.
   */
  private boolean stays(Instant nominal) {
    Optional<Instant> start = definition.startTime();
    if (isRecurring(old()) || isRecurring(definition)) {
      return !replaces
          && state == JobState.ENABLED
          && start.isEmpty()
          && old().startTime().isEmpty()
          && first().isPresent();
    }
    return start.map(given -> !given.isAfter(nominal)).orElse(!replaces);
  }

  private Optional<Instant> computed(JobName name) {
    return state == JobState.ENABLED
        ? Optional.of(
            first()
                .filter(next -> !definition.isBeyondCount(occurrence()))
                .orElseThrow(() -> over(name)))
        : Optional.empty();
  }

  private Optional<Instant> first() {
    Instant from = seen.latest().map(last -> last.plusNanos(1)).filter(now::isBefore).orElse(now);
    return definition
        .timetable(replaces ? now : seen.job().map(StoredJob::created).orElse(now))
        .first(from);
  }

  private static JobException over(JobName name) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Job '" + name.job() + "' has no occurrence left; change its recurrence.");
  }

  /** One that is begun counts; since none waits after it, nobody else will count it. */
  private int occurrence() {
    if (replaces) {
      return 1;
    }
    int stored = seen.job().map(StoredJob::occurrence).orElse(1);
    boolean counts = isRecurring(old()) || isRecurring(definition);
    return counts && seen.begun().isPresent() ? stored + 1 : stored;
  }

  /** The earliest occurrence that is due, is not begun, and is not the next one. */
  private Optional<Instant> firstDropped(Optional<Instant> next) {
    return overdue()
        .or(this::missedBehindBegun)
        .filter(from -> next.filter(from::equals).isEmpty());
  }

  /** What would have been counted as missed when the next occurrence was scheduled. */
  private Optional<Instant> missedBehindBegun() {
    Timetable old = oldTimetable();
    return isRecurring(old()) && !old.drifts()
        ? seen.begun().flatMap(old::after).filter(this::isDue)
        : Optional.empty();
  }

  private long countFrom(Instant from, Optional<Instant> next) {
    Timetable old = oldTimetable();
    if (!isRecurring(old()) || old.drifts()) {
      return 1;
    }
    Instant end =
        next.filter(from::isBefore).filter(this::isDue).orElseGet(() -> notAfter.plusNanos(1));
    return 1 + old.between(from.plusNanos(1), end, COUNTED - 1);
  }

  private HistoryEntry entry(Instant from, long skipped) {
    StoredJob job = seen.job().orElseThrow();
    Attempt attempt =
        new Attempt(
            job.name().key(), from, job.occurrence(), Attempt.Phase.MAIN, 1, job.revision(), 0);
    return entry(attempt, what(from, skipped) + " due and not begun when the job was " + how());
  }

  private HistoryEntry entry(Attempt held) {
    return entry(held, "the job was " + how() + " before this attempt");
  }

  private HistoryEntry entry(Attempt attempt, String reason) {
    return HistoryEntry.skipped(attempt, now, HistoryEntry.Reason.CHANGED, reason);
  }

  private static String what(Instant from, long skipped) {
    if (skipped == 1) {
      return "the occurrence of " + from + " was";
    }
    String count = skipped >= COUNTED ? "at least " + COUNTED : Long.toString(skipped);
    return count + " occurrences from " + from + " were";
  }

  private String how() {
    if (replaces) {
      return "replaced";
    }
    return state == JobState.DISABLED ? "disabled" : "changed";
  }

  private JobDefinition old() {
    return seen.job().map(StoredJob::definition).orElse(definition);
  }

  private Timetable oldTimetable() {
    return old().timetable(seen.job().map(StoredJob::created).orElse(now));
  }

  private static boolean isRecurring(JobDefinition job) {
    return job.recurrence().isPresent();
  }
}
