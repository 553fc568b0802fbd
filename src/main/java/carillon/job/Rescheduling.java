package carillon.job;

import carillon.recurrence.Timetable;
import carillon.recurrence.calendar.CalendarDirectory;
import java.time.Instant;
import java.util.Optional;

/**
 * Plan of what becomes of a job's occurrences when its definition changes. What was due before it
 * belongs to the old definition: it is begun already, or is recorded as skipped. What is due
 * afterwards belongs to the new one, and is later than everything that was begun, whatever the
 * clock says. Knows no clock and no Redis.
 *
 * @param name of the job
 * @param version the job as it is
 * @param definition the new one
 * @param state the new one
 * @param calendars as they are now
 * @param replaces whether the job begins anew (PUT)
 * @param now the moment of the change; not ahead of Redis' clock
 * @param notAfter what is due up to here may be due by Redis' clock; not before {@code now}
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
   * @param next the next occurrence as the job tells it
   * @param isScheduled whether it is to wait for its instant
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
      boolean isScheduled,
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

  /** Fails with CONFLICT when the job is to be enabled and no occurrence of it is left. */
  public Result result() {
    return version.begun().filter(this::goesOn).isPresent() ? goingOn() : another();
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
    long skipped = dropped.map(from -> countFrom(from, next)).orElse(0L);
    Optional<HistoryEntry> entry =
        version.heldAttempt().map(this::entry).or(() -> dropped.map(from -> entry(from, skipped)));
    return new Result(
        next,
        state == JobState.ENABLED,
        Optional.empty(),
        occurrence(),
        version.latest(),
        Optional.empty(),
        Optional.empty(),
        entry.isPresent() ? Math.max(1, skipped) : 0,
        entry);
  }

  private Optional<Instant> overdue() {
    return version.owed().filter(this::isDue);
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
   * The instant in its pause at which a one-time job was to run, where {@code startWithin} counts
   * from it: whoever claims it judges whether it is too late.
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

  /** One that is begun counts; since none waits after it, nobody else will count it. */
  private int occurrence() {
    if (replaces) {
      return 1;
    }
    int stored = version.job().map(StoredJob::occurrence).orElse(1);
    boolean counts = isRecurring(old()) || isRecurring(definition);
    return counts && version.begun().isPresent() ? stored + 1 : stored;
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
        ? version.begun().flatMap(old::after).filter(this::isDue)
        : Optional.empty();
  }

  private long countFrom(Instant from, Optional<Instant> next) {
    Timetable old = oldTimetable();
    if (!isRecurring(old()) || old.drifts()) {
      return 1;
    }
    Instant end =
        next.filter(from::isBefore).filter(this::isDue).orElseGet(() -> notAfter.plusNanos(1));
    return 1 + old.between(from.plusNanos(1), end, HistoryEntry.MAX_COUNTED - 1);
  }

  private HistoryEntry entry(Instant from, long skipped) {
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
    return entry(attempt, what(from, skipped) + " due and not begun when the job was " + how());
  }

  private HistoryEntry entry(Attempt held) {
    return entry(held, "the job was " + how() + " before this attempt");
  }

  private HistoryEntry entry(Attempt attempt, String reason) {
    return HistoryEntry.skipped(attempt, now, HistoryEntry.Reason.CHANGED, reason);
  }

  private static String what(Instant from, long skipped) {
    return skipped == 1
        ? "the occurrence of " + from + " was"
        : HistoryEntry.occurrences(skipped, from) + " were";
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
