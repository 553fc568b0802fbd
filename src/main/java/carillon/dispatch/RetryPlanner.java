package carillon.dispatch;

import carillon.job.Action;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.job.RetryPolicy;
import carillon.job.Run;
import carillon.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Decides what follows an attempt. Knows no clock, no Redis and no thread. */
final class RetryPlanner {
  private final RetryPolicy.Repeating standard;
  private final Duration maxRetryAfter;
  private final DoubleSupplier random;

  /**
   * A planner.
   *
   * @param standard for actions that give no policy
   * @param maxRetryAfter longest pause, from the end of an attempt, that a target can ask for
   * @param random numbers from 0 to 1, to spread retries
   */
  RetryPlanner(RetryPolicy.Repeating standard, Duration maxRetryAfter, DoubleSupplier random) {
    this.standard = standard;
    this.maxRetryAfter = maxRetryAfter;
    this.random = random;
  }

  /** The action that a run attempts. */
  static Action action(Run run, JobDefinition definition) {
    return definition.action(run.phase());
  }

  /**
   * What follows.
   *
   * @param late by how much the attempt may have ended later than the result says
   */
  Outcome plan(Run run, JobDefinition definition, AttemptResult result, Duration late) {
    Optional<Outcome.Following> retry =
        result.succeeded() ? Optional.empty() : retry(run, definition, result, late);
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
      Run run, JobDefinition definition, AttemptResult result, Duration late) {
    RetryPolicy.Repeating policy = policy(run, definition).orDefault(standard);
    if (run.attempt() > policy.count()) {
      return Optional.empty();
    }
    Instant usual = result.end().plus(policy.pause(run.attempt(), random.getAsDouble()));
    Instant due = latest(usual, asked(result)).plus(late);
    return bound(run, definition).filter(due::isAfter).isPresent()
        ? Optional.empty()
        : Optional.of(new Outcome.Following(run.retry(), due));
  }

  /** When the target wants to be called again; the cap bounds what a hostile one can ask. */
  private Instant asked(AttemptResult result) {
    Instant longest = result.end().plus(maxRetryAfter);
    return result
        .notBefore()
        .map(asked -> asked.isAfter(longest) ? longest : asked)
        .orElse(result.end());
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** An error action without a policy of its own goes by the main action's. */
  private static RetryPolicy policy(Run run, JobDefinition definition) {
    RetryPolicy own = action(run, definition).retryPolicy();
    return own instanceof RetryPolicy.Unspecified ? definition.action().retryPolicy() : own;
  }

  /**
   * The latest instant of a retry. An error action that goes by the main action's policy does not
   * inherit its bound, which the main action may have used up.
   */
  private static Optional<Instant> bound(Run run, JobDefinition definition) {
    return action(run, definition).retryPolicy() instanceof RetryPolicy.Repeating policy
        ? policy.maxDuration().map(run.nominal()::plus)
        : Optional.empty();
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
        result.status(),
        run.phase(),
        run.occurrence(),
        run.attempt() - 1,
        run.executionId(),
        result.message());
  }
}
