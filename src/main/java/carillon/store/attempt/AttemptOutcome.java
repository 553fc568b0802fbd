package carillon.store.attempt;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Outcome of a claimed attempt, and what follows.
 *
 * @param entry history entry of the attempt
 * @param following a retry or the error action, with the instant at which it is due; empty when the
 *     execution has ended
 * @param exhausted the main action failed and has no attempt left
 * @param finalState new state of the job, if this ends the scheduled execution of a one-time job
 * @param mostFailures number of consecutive faulted executions that disables the job; empty if none
 *     does
 * @param isExclusive executions of the job must not overlap, or a definition that is no longer
 *     known may have said so
 */
public record AttemptOutcome(
    HistoryEntry entry,
    Optional<Following> following,
    boolean exhausted,
    Optional<JobState> finalState,
    OptionalInt mostFailures,
    boolean isExclusive) {

  /** Outcome of an attempt that ends its execution without a call. */
  public static AttemptOutcome ended(
      HistoryEntry entry, Optional<JobState> finalState, boolean isExclusive) {
    return new AttemptOutcome(
        entry, Optional.empty(), false, finalState, OptionalInt.empty(), isExclusive);
  }

  /** Outcome of a failed attempt that has no retry and no error action. */
  public static AttemptOutcome faulted(
      HistoryEntry entry,
      Optional<JobState> finalState,
      OptionalInt mostFailures,
      boolean isExclusive) {
    return new AttemptOutcome(entry, Optional.empty(), true, finalState, mostFailures, isExclusive);
  }

  /** Next attempt of the same execution. */
  public record Following(Attempt attempt, Instant due) {}

  /** Whether the attempt is the first of its execution. */
  public boolean isFirst() {
    return entry.phase() == Attempt.Phase.MAIN && entry.retry() == 0;
  }

  boolean isPerformed() {
    return entry.status() != HistoryEntry.Status.SKIPPED;
  }

  /** Whether this ends an execution in which all attempts of the main action failed. */
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
