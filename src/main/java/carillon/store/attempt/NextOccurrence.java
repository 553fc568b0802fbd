package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * The occurrence that is to wait after a claimed one.
 *
 * @param moved the claimed attempt, standing for a later occurrence if earlier ones were missed
 * @param at the instant of the following occurrence, if there is one, whatever the count
 * @param fate whether the claimed one uses up the count
 * @param skipped how many occurrences were missed
 * @param entry what the history keeps of those
 */
public record NextOccurrence(
    Attempt moved, Optional<Instant> at, Fate fate, long skipped, Optional<HistoryEntry> entry) {

  /** What becomes of the claimed occurrence, as far as the count goes. */
  public enum Fate {
    /** It is performed. */
    PERFORMED,
    /** It is performed, and the last by the count. */
    LAST,
    /** It is not performed and uses up no count: the next one has its number. */
    SKIPPED
  }

  /** The occurrence that waits from now on. */
  public Optional<Instant> waits() {
    return fate == Fate.LAST ? Optional.empty() : at;
  }

  /** The number of the next occurrence, or of what would be next. */
  int number() {
    return fate == Fate.SKIPPED ? moved.occurrence() : moved.occurrence() + 1;
  }
}
