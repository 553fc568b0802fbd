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
 * @param due when the following occurrence is to be claimed, if there is one: at its instant, or
 *     later
 * @param local of a job with a time zone: the local time that it stands for, {@link #NO_LOCAL} for
 *     none; absent for other jobs
 * @param fate whether the claimed one uses up the count
 * @param skipped how many occurrences were missed
 * @param entry what the history keeps of those
 */
public record NextOccurrence(
    Attempt moved,
    Optional<Instant> at,
    Optional<Instant> due,
    Optional<String> local,
    Fate fate,
    long skipped,
    Optional<HistoryEntry> entry) {
  /** Stands in for the local time of an occurrence that stands for none. */
  public static final String NO_LOCAL = "-";

  /** What becomes of the claimed occurrence, as far as the count goes. */
  public enum Fate {
    /** It is performed. */
    PERFORMED,
    /** It is performed, and the last by the count. */
    LAST,
    /** It is not performed and uses up no count: the next one has its number. */
    SKIPPED
  }

  /** When the occurrence is due that waits from now on; empty where none does. */
  public Optional<Instant> waitingDue() {
    return fate == Fate.LAST ? Optional.empty() : due;
  }

  /** This next occurrence, after a claimed one that is not performed. */
  public NextOccurrence skipping() {
    return new NextOccurrence(moved, at, due, local, Fate.SKIPPED, skipped, entry);
  }

  /** The next occurrence as the script takes it: behind a space its local time. */
  String text() {
    String instant = at.map(Instant::toString).orElse("");
    return local.isEmpty() ? instant : instant + " " + local.get();
  }

  /** The number of the next occurrence, or of what would be next. */
  int number() {
    return fate == Fate.SKIPPED ? moved.occurrence() : moved.occurrence() + 1;
  }
}
