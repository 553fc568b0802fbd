package carillon.store.attempt;

import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import carillon.job.JobState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Outcome of a claimed attempt, and what follows.
 *
 * @param entry what the history keeps of it
 * @param following a retry or the error action, with the instant at which it is due; empty when the
 *     execution has ended
 * @param exhausted the main action failed and has no attempt left
 * @param finalState for the scheduled execution of a one-time job that has ended: what the job
 *     becomes
 * @param mostFailures so many faulted executions in a row disable the job; empty where it runs on
 * @param isExclusive executions of the job must not overlap, or may have been told not to
 */
public record AttemptOutcome(
    HistoryEntry entry,
    Optional<Following> following,
    boolean exhausted,
    Optional<JobState> finalState,
    OptionalInt mostFailures,
    boolean isExclusive) {

  /** Of a job that runs on, however many executions fail, and whose executions may overlap. */
  public AttemptOutcome(
      HistoryEntry entry,
      Optional<Following> following,
      boolean exhausted,
      Optional<JobState> finalState) {
    this(entry, following, exhausted, finalState, OptionalInt.empty(), false);
  }

  /** What waits next in the same execution. */
  public record Following(Attempt attempt, Instant due) {}

  /** Whether the attempt was the one with which its execution begins. */
  public boolean isFirst() {
    return entry.phase() == Attempt.Phase.MAIN && entry.retry() == 0;
  }

  boolean isPerformed() {
    return entry.status() != HistoryEntry.Status.SKIPPED;
  }

  /** Whether an execution ends whose attempts of the main action all failed. */
  boolean isFaultedEnd() {
    return following.isEmpty() && (exhausted || entry.phase() == Attempt.Phase.ERROR);
  }

  boolean isMainSuccess() {
    return entry.status() == HistoryEntry.Status.COMPLETED && entry.phase() == Attempt.Phase.MAIN;
  }

  boolean isMainFailure() {
    return entry.status() == HistoryEntry.Status.FAILED && entry.phase() == Attempt.Phase.MAIN;
  }
}
