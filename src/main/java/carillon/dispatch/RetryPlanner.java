package carillon.dispatch;

import carillon.job.Action;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.job.RetryPolicy;
import carillon.job.Run;
import carillon.store.Outcome;
import java.util.Optional;

/** Decides what follows an attempt. Knows no clock, no Redis and no thread. */
final class RetryPlanner {
  private final RetryPolicy.Fixed standard;

  /**
   * A planner.
   *
   * @param standard for actions that give no policy
   */
  RetryPlanner(RetryPolicy.Fixed standard) {
    this.standard = standard;
  }

  /** The action that a run attempts. */
  static Action action(Run run, JobDefinition definition) {
    return definition.action(run.phase());
  }

  Outcome plan(Run run, JobDefinition definition, AttemptResult result) {
    Optional<Outcome.Following> retry =
        result.succeeded() ? Optional.empty() : retry(run, definition, result);
    boolean exhausted = run.phase() == Run.Phase.MAIN && !result.succeeded() && retry.isEmpty();
    Optional<Outcome.Following> following =
        exhausted && definition.errorAction().isPresent()
            ? Optional.of(new Outcome.Following(run.errorAction(), result.end()))
            : retry;
    boolean ends = following.isEmpty() && definition.recurrence().isEmpty() && !run.isManual();
    return new Outcome(
        run,
        entry(run, result),
        following,
        exhausted,
        ends ? Optional.of(once(run, result)) : Optional.empty());
  }

  private Optional<Outcome.Following> retry(
      Run run, JobDefinition definition, AttemptResult result) {
    RetryPolicy.Fixed policy = policy(run, definition).orDefault(standard);
    return run.attempt() > policy.count()
        ? Optional.empty()
        : Optional.of(new Outcome.Following(run.retry(), result.end().plus(policy.interval())));
  }

  /** An error action without a policy of its own goes by the main action's. */
  private static RetryPolicy policy(Run run, JobDefinition definition) {
    RetryPolicy own = action(run, definition).retryPolicy();
    return own instanceof RetryPolicy.Unspecified ? definition.action().retryPolicy() : own;
  }

  /** A successful error action does not turn the execution into a success. */
  private static JobState once(Run run, AttemptResult result) {
    return run.phase() == Run.Phase.MAIN && result.succeeded()
        ? JobState.COMPLETED
        : JobState.FAULTED;
  }

  private static HistoryEntry entry(Run run, AttemptResult result) {
    return new HistoryEntry(
        result.start(),
        result.end(),
        run.nominal(),
        result.succeeded() ? HistoryEntry.Status.COMPLETED : HistoryEntry.Status.FAILED,
        run.phase(),
        run.occurrence(),
        run.attempt() - 1,
        run.executionId(),
        result.message());
  }
}
