package carillon.job.attempt;

import carillon.job.name.JobState;
import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.Optional;

/**
 * Mark of a change in the history of a job, with the schedule before the change.
 *
 * @param at when it was changed
 * @param change kind of change
 * @param by caller that changed it, as named in the audit log
 * @param note why, for people
 * @param former the job before the change; empty if it could not be read
 */
public record HistoryMark(
    Instant at, ChangeKind change, String by, Optional<String> note, Optional<Former> former)
    implements HistoryItem {

  /** Kind of change to a job. */
  public enum ChangeKind implements WireWord {
    /** Replaced by PUT: the job began anew. */
    REPLACED,
    /** Got another definition, but kept its counters. */
    CHANGED,
    DISABLED,
    /** Enabled, or run again after its end. */
    ENABLED,
    /** Its next occurrence was moved, by new rules of its time zone or a changed calendar. */
    RETIMED;

    /** Returns the kind of the change from one state to another. */
    public static ChangeKind of(boolean replaces, Optional<JobState> before, JobState after) {
      if (replaces) {
        return REPLACED;
      }
      if (before.filter(after::equals).isPresent()) {
        return CHANGED;
      }
      return after == JobState.DISABLED ? DISABLED : ENABLED;
    }
  }

  /**
   * The job before a change.
   *
   * @param state that it was in
   * @param created when its definition was PUT, from which a schedule without a start counts
   * @param schedule in words
   * @param document JSON: its start and recurrence, as a GET returned them; empty if they are too
   *     long to be kept
   */
  public record Former(
      JobState state, Instant created, String schedule, Optional<String> document) {}

  @Override
  public Instant start() {
    return at;
  }

  @Override
  public Instant end() {
    return at;
  }

  @Override
  public HistoryEntry.Status status() {
    return HistoryEntry.Status.MARKED;
  }

  /** Describes the change in one sentence for people. */
  public String message() {
    return change.word()
        + " by "
        + by
        + note.map(why -> " (" + why + ")").orElse("")
        + former.map(until -> ": schedule was " + until.schedule).orElse("");
  }
}
