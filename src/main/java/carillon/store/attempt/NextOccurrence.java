package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * The occurrence that follows a claimed one.
 *
 * @param moved the claimed attempt, moved to a later occurrence if earlier ones were missed
 * @param at instant of the following occurrence, if there is one; ignores the count
 * @param due instant at which the following occurrence will be claimed, if there is one; {@code at}
 *     or later
 * @param local local time of {@code at} for a job with a time zone, {@link #NO_LOCAL} if there is
 *     none; empty for other jobs
 * @param fate whether the claimed occurrence uses up the count
 * @param skipped number of missed occurrences
 * @param entry history entry of the missed occurrences
 */
public record NextOccurrence(
    Attempt moved,
    Optional<Instant> at,
    Optional<Instant> due,
    Optional<String> local,
    Fate fate,
    long skipped,
    Optional<HistoryEntry> entry) {
  /** Marks an occurrence without a local time. */
  public static final String NO_LOCAL = "-";

  /** Effect of the claimed occurrence on the count. */
  public enum Fate {
    /** The occurrence is performed. */
    PERFORMED,
    /** The occurrence is performed. It is the last by the count. */
    LAST,
    /** The occurrence is not performed and not counted. The next one gets its number. */
    SKIPPED
  }

  /** Returns the due instant of the occurrence that waits from now on; empty if none does. */
  public Optional<Instant> waitingDue() {
    return fate == Fate.LAST ? Optional.empty() : due;
  }

  /** Returns a copy for a claimed occurrence that is not performed. */
  public NextOccurrence skipping() {
    return new NextOccurrence(moved, at, due, local, Fate.SKIPPED, skipped, entry);
  }

  /** Returns the number of the next occurrence, even if the count leaves none. */
  int number() {
    return fate == Fate.SKIPPED ? moved.occurrence() : moved.occurrence() + 1;
  }
}
