package carillon.job;

import java.time.Instant;
import java.util.Optional;

/**
 * Mark in the history of a job: that it was changed, and the schedule that held until then.
 *
 * @param at when it was changed
 * @param change what was done to it
 * @param by who did it, as the audit log names them
 * @param note why, for people
 * @param former the job until then; empty where it could not be read
 */
public record HistoryMark(
    Instant at, ChangeKind change, String by, Optional<String> note, Optional<Former> former)
    implements HistoryItem {

  /** What was done to a job. */
  public enum ChangeKind implements WireWord {
    /** PUT over it: it began anew. */
    REPLACED,
    /** It got another definition, and its counters went on. */
    CHANGED,
    DISABLED,
    /** It was enabled, or ran again after its end. */
    ENABLED,
    /** Its next occurrence was moved, by new rules of its time zone or a changed calendar. */
    RETIMED;

    /** What leads from one state to the other. */
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
   * The job until a change.
   *
   * @param state that it was in
   * @param created when its definition was PUT, from which a schedule without a start counts
   * @param schedule in words
   * @param document JSON: its start and recurrence, as a GET told them; empty where they are too
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

  /** One sentence for people. */
  public String message() {
    return change.word()
        + " by "
        + by
        + note.map(why -> " (" + why + ")").orElse("")
        + former.map(until -> ": schedule was " + until.schedule).orElse("");
  }
}
