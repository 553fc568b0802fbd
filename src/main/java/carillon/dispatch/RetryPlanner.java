package carillon.dispatch;

import carillon.job.Action;
import carillon.job.Attempt;
import carillon.job.HistoryEntry;
import carillon.job.JobDefinition;
import carillon.job.JobState;
import carillon.job.RetryPolicy;
import carillon.store.attempt.AttemptOutcome;
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

  /** The action that an attempt is of. */
  static Action action(Attempt attempt, JobDefinition definition) {
    return definition.action(attempt.phase());
  }

  /**
   * What follows.
   *
   * @param late by how much the attempt may have ended later than the result says
   */
  AttemptOutcome plan(
      Attempt attempt, JobDefinition definition, AttemptResult result, Duration late) {
    Optional<AttemptOutcome.Following> retry =
        result.succeeded() ? Optional.empty() : retry(attempt, definition, result, late);
    boolean exhausted =
        attempt.phase() == Attempt.Phase.MAIN && !result.succeeded() && retry.isEmpty();
    Optional<AttemptOutcome.Following> following =
        exhausted && definition.errorAction().isPresent()
            ? Optional.of(new AttemptOutcome.Following(attempt.errorAction(), result.end()))
            : retry;
    boolean ends = following.isEmpty() && definition.recurrence().isEmpty() && !attempt.isManual();
    return new AttemptOutcome(
        entry(attempt, result),
        following,
        exhausted,
        ends ? Optional.of(once(attempt, result)) : Optional.empty());
  }

  private Optional<AttemptOutcome.Following> retry(
      Attempt attempt, JobDefinition definition, AttemptResult result, Duration late) {
    RetryPolicy.Repeating policy = policy(attempt, definition).orDefault(standard);
    if (attempt.number() > policy.count()) {
      return Optional.empty();
    }
    Instant usual = result.end().plus(policy.pause(attempt.number(), random.getAsDouble()));
    Instant due = latest(usual, asked(result)).plus(late);
    return bound(attempt, definition).filter(due::isAfter).isPresent()
        ? Optional.empty()
        : Optional.of(new AttemptOutcome.Following(attempt.retry(), due));
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
  private static RetryPolicy policy(Attempt attempt, JobDefinition definition) {
    RetryPolicy own = action(attempt, definition).retryPolicy();
    return own instanceof RetryPolicy.Unspecified ? definition.action().retryPolicy() : own;
  }

  /**
   * The latest instant of a retry. An error action that goes by the main action's policy does not
   * inherit its bound, which the main action may have used up.
   */
  private static Optional<Instant> bound(Attempt attempt, JobDefinition definition) {
    return action(attempt, definition).retryPolicy() instanceof RetryPolicy.Repeating policy
        ? policy.maxDuration().map(attempt.dueAt()::plus)
        : Optional.empty();
  }

  /** A successful error action does not turn the execution into a success. */
  private static JobState once(Attempt attempt, AttemptResult result) {
    return attempt.phase() == Attempt.Phase.MAIN && result.succeeded()
        ? JobState.COMPLETED
        : JobState.FAULTED;
  }

  private static HistoryEntry entry(Attempt attempt, AttemptResult result) {
    return new HistoryEntry(
        result.start(),
        result.end(),
        attempt.dueAt(),
        result.status(),
        attempt.phase(),
        attempt.occurrence(),
        attempt.number() - 1,
        attempt.executionId(),
        result.message());
  }
}
