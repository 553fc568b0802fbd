package carillon.job;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Skip;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.timetable.Timetable;
import java.time.Instant;
import java.util.Optional;

/**
 * Plan for the occurrences of a job when its definition changes. Occurrences due before the change
 * belong to the old definition: they have begun already, or are recorded as skipped. Later
 * occurrences belong to the new definition. They are always later than every begun occurrence, even
 * if the clock is wrong. Depends on no clock and no Redis.
 *
 * @param name of the job
 * @param version the job as it is
 * @param definition the new one
 * @param state the new one
 * @param calendars as they are now
 * @param replaces whether the job begins anew (PUT)
 * @param now the moment of the change; not ahead of Redis' clock
 * @param notAfter latest instant that may be due by Redis' clock; not before {@code now}
 */
public record Rescheduling(
    JobName name,
    JobVersion version,
    JobDefinition definition,
    JobState state,
    CalendarDirectory calendars,
    boolean replaces,
    Instant now,
    Instant notAfter) {
  /**
   * The schedule from the change on.
   *
   * @param next the next occurrence as the job shows it
   * @param isScheduled whether it waits for its instant
   * @param released the attempt that waits from now on instead
   * @param occurrence the number of the next occurrence
   * @param claimedOccurrence see {@link JobVersion#claimedOccurrence}
   * @param attemptRevision see {@link JobVersion#attemptRevision}
   * @param heldAttempt see {@link JobVersion#heldAttempt}
   * @param skipped number of due occurrences that had not begun and that the change drops
   * @param entry of the history for those
   */
  public record Result(
      Optional<Instant> next,
      boolean isScheduled,
      Optional<Attempt> released,
      int occurrence,
      Optional<Instant> claimedOccurrence,
      Optional<Long> attemptRevision,
      Optional<Attempt> heldAttempt,
      long skipped,
      Optional<HistoryEntry> entry) {}

  /**
   * Returns the first occurrence of a new job. Fails with CONFLICT if it has none.
   *
   * @param calendars as they are now
   * @param now the moment of the change
   */
  public static Optional<Instant> first(
      JobName name,
      JobDefinition definition,
      JobState state,
      CalendarDirectory calendars,
      Instant now) {
    return state == JobState.ENABLED
        ? Optional.of(
            timetable(name, definition, calendars, now)
                .firstAwaited(now)
                .orElseThrow(() -> over(name)))
        : Optional.empty();
  }

  private static Timetable timetable(
      JobName name, JobDefinition definition, CalendarDirectory calendars, Instant created) {
    return definition.timetable(created, new JobKey(name.key()), calendars);
  }

  /** Computes the new schedule. Fails with CONFLICT if a job to enable has no occurrence left. */
  public Result result() {
    return version.begun().filter(this::goesOn).isPresent() ? goingOn() : another();
  }

  /**
   * Whether the only occurrence of a one-time job is under way, and the new definition asks for no
   * other. The execution then goes on, by the new definition and with the same execution id.
   */
  private boolean goesOn(Instant nominal) {
    return !isRecurring(old())
        && !isRecurring(definition)
        && definition
            .startTime()
            .map(start -> !start.isAfter(nominal))
            .orElse(!replaces && (state == JobState.DISABLED || version.heldAttempt().isPresent()));
  }

  private Result goingOn() {
    boolean enabled = state == JobState.ENABLED;
    return new Result(
        version.begun(),
        false,
        version.heldAttempt().filter(attempt -> enabled),
        occurrence(),
        version.begun(),
        Optional.of(attemptRevision(version.job().orElseThrow())),
        version.heldAttempt().filter(attempt -> !enabled),
        0,
        Optional.empty());
  }

  private long attemptRevision(StoredJob job) {
    return version.attemptRevision().orElse(job.revision());
  }

  private Result another() {
    Optional<Instant> kept = overdue().filter(this::stays);
    Optional<Instant> next = kept.or(this::computed);
    Optional<Instant> dropped = kept.isPresent() ? Optional.empty() : firstDropped(next);
    Optional<Skip> skip = dropped.map(from -> skipFrom(from, next));
    Optional<HistoryEntry> entry =
        version
            .heldAttempt()
            .map(this::entry)
            .or(() -> dropped.map(from -> entry(from, skip.orElseThrow())));
    return new Result(
        next,
        state == JobState.ENABLED,
        Optional.empty(),
        occurrence(),
        version.latest(),
        Optional.empty(),
        Optional.empty(),
        entry.flatMap(HistoryEntry::skip).map(Skip::count).orElse(0L),
        entry);
  }

  private Optional<Instant> overdue() {
    return version.owed().filter(this::isDue);
  }

  private boolean isDue(Instant instant) {
    return !instant.isAfter(notAfter);
  }

  /**
   * Whether the new definition takes over an occurrence that is due and has not begun. This is the
   * only occurrence of a one-time job, or one that counts from the submission and not from a start
   * time.
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

  private Optional<Instant> computed() {
    return state == JobState.ENABLED
        ? Optional.of(
            inPause()
                .or(this::first)
                .filter(next -> !definition.isBeyondCount(occurrence()))
                .orElseThrow(() -> over(name)))
        : Optional.empty();
  }

  /**
   * Returns the instant in its pause at which a one-time job was due, if {@code startWithin} counts
   * from it. The node that claims it decides whether it is too late.
   */
  private Optional<Instant> inPause() {
    boolean wasDisabled = version.job().filter(j -> j.state() == JobState.DISABLED).isPresent();
    return wasDisabled && !replaces && !isRecurring(definition)
        ? definition
            .startTime()
            .filter(start -> definition.occurrences().patience().isPresent())
            .filter(start -> !start.isAfter(now))
            .filter(start -> version.latest().filter(last -> !start.isAfter(last)).isEmpty())
        : Optional.empty();
  }

  private Optional<Instant> first() {
    Instant from =
        version.latest().map(last -> last.plusNanos(1)).filter(now::isBefore).orElse(now);
    Instant created = replaces ? now : version.job().map(StoredJob::created).orElse(now);
    return timetable(name, definition, calendars, created).firstAwaited(from);
  }

  private static JobException over(JobName name) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Job '" + name.job() + "' has no occurrence left; change its recurrence.");
  }

  /**
   * Returns the number of the next occurrence. A begun occurrence counts here, since no waiting
   * occurrence after it will count it.
   */
  private int occurrence() {
    if (replaces) {
      return 1;
    }
    int stored = version.job().map(StoredJob::occurrence).orElse(1);
    boolean counts = isRecurring(old()) || isRecurring(definition);
    return counts && version.begun().isPresent() ? stored + 1 : stored;
  }

  /** The earliest occurrence that is due, has not begun, and is not the next one. */
  private Optional<Instant> firstDropped(Optional<Instant> next) {
    return overdue()
        .or(this::missedBehindBegun)
        .filter(from -> next.filter(from::equals).isEmpty());
  }

  /** The first occurrence that would have counted as missed when the next one was scheduled. */
  private Optional<Instant> missedBehindBegun() {
    Timetable old = oldTimetable();
    return isRecurring(old()) && !old.drifts()
        ? version.begun().flatMap(old::after).filter(this::isDue)
        : Optional.empty();
  }

  private Skip skipFrom(Instant from, Optional<Instant> next) {
    Timetable old = oldTimetable();
    if (!isRecurring(old()) || old.drifts()) {
      return new Skip(1, from);
    }
    Instant end =
        next.filter(from::isBefore).filter(this::isDue).orElseGet(() -> notAfter.plusNanos(1));
    long behind = old.between(from.plusNanos(1), end, HistoryEntry.MAX_COUNTED - 1);
    Instant last = behind == 0 ? from : old.latest(end.minusNanos(1)).orElse(from);
    return new Skip(1 + behind, last);
  }

  private HistoryEntry entry(Instant from, Skip skip) {
    StoredJob job = version.job().orElseThrow();
    Attempt attempt =
        new Attempt(
            job.name().key(),
            from,
            job.occurrence(),
            Attempt.Phase.MAIN,
            1,
            attemptRevision(job),
            0);
    String text = skip.were(from) + " due and not begun when the job was " + how();
    return HistoryEntry.skipped(attempt, skip, now, HistoryEntry.Reason.CHANGED, text);
  }

  private HistoryEntry entry(Attempt held) {
    String text = "the job was " + how() + " before this attempt";
    return HistoryEntry.skipped(held, now, HistoryEntry.Reason.CHANGED, text);
  }

  private String how() {
    if (replaces) {
      return "replaced";
    }
    return state == JobState.DISABLED ? "disabled" : "changed";
  }

  private JobDefinition old() {
    return version.job().map(StoredJob::definition).orElse(definition);
  }

  private Timetable oldTimetable() {
    Instant created = version.job().map(StoredJob::created).orElse(now);
    return timetable(name, old(), calendars, created);
  }

  private static boolean isRecurring(JobDefinition job) {
    return job.recurrence().isPresent();
  }
}
