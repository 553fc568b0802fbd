package carillon.dispatch;

import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.RetryAdvice;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.RetryPolicy;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.store.attempt.AttemptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * Planner of what follows an attempt: a retry, the error action, or nothing. Knows no clock, no
 * Redis and no thread.
 */
final class RetryPlanner {
  private final RetryPolicy.Repeating standard;
  private final Duration maxRetryAfter;
  private final ToDoubleFunction<Attempt> random;

  /**
   * A planner.
   *
   * @param standard for actions that give no policy
   * @param maxRetryAfter longest pause, from the end of an attempt, that a target can ask for
   * @param random by attempt a number from 0 to 1, to spread retries
   */
  RetryPlanner(
      RetryPolicy.Repeating standard, Duration maxRetryAfter, ToDoubleFunction<Attempt> random) {
    this.standard = standard;
    this.maxRetryAfter = maxRetryAfter;
    this.random = random;
  }

  /**
   * Returns a number from 0 to 1 that depends on the attempt alone. Jobs that fail together are
   * spread, and a run with virtual time repeats the same instants.
   */
  static double spread(Attempt attempt) {
    int place = Objects.hash(attempt.phase().word(), attempt.number());
    long seed =
        (long) Objects.hash(attempt.job(), attempt.dueAt()) << Integer.SIZE
            | Integer.toUnsignedLong(place);
    return new SplittableRandom(seed).nextDouble();
  }

  /** The action that an attempt is of. */
  static Action action(Attempt attempt, JobDefinition definition) {
    return definition.action(attempt.phase());
  }

  /**
   * Plans what follows an attempt.
   *
   * @param late maximum delay of the real end of the attempt after the end in the result
   */
  AttemptOutcome plan(
      Attempt attempt, JobDefinition definition, AttemptResult result, Duration late) {
    RetryPolicy.Repeating policy = policy(attempt, definition).orDefault(standard);
    boolean mayRetry = !result.succeeded() && attempt.number() <= policy.count();
    Optional<String> refusal = mayRetry ? refusal(policy, result.advice()) : Optional.empty();
    Optional<AttemptOutcome.Following> retry =
        mayRetry && refusal.isEmpty()
            ? retry(attempt, definition, policy, result, late)
            : Optional.empty();
    boolean exhausted =
        attempt.phase() == Attempt.Phase.MAIN && !result.succeeded() && retry.isEmpty();
    Optional<AttemptOutcome.Following> following =
        exhausted && definition.errorAction().isPresent()
            ? Optional.of(new AttemptOutcome.Following(attempt.errorAction(), result.end()))
            : retry;
    boolean ends =
        following.isEmpty() && definition.recurrence().isEmpty() && !attempt.isRequested();
    return new AttemptOutcome(
        entry(attempt, refusal.map(why -> result.with(result.message() + why)).orElse(result)),
        following,
        exhausted,
        ends ? Optional.of(finalState(attempt, result)) : Optional.empty(),
        definition.pauseAfterFailures(),
        definition.occurrences().overlap().isPresent());
  }

  private Optional<AttemptOutcome.Following> retry(
      Attempt attempt,
      JobDefinition definition,
      RetryPolicy.Repeating policy,
      AttemptResult result,
      Duration late) {
    Instant usual =
        result.end().plus(policy.pause(attempt.number(), random.applyAsDouble(attempt)));
    Instant due = latest(usual, retryAfter(result).orElse(result.end())).plus(late);
    return bound(attempt, definition).filter(due::isAfter).isPresent()
        ? Optional.empty()
        : Optional.of(new AttemptOutcome.Following(attempt.retry(), due));
  }

  /**
   * Returns why no retry follows an answer although one is left: the end of the history's message.
   */
  private static Optional<String> refusal(RetryPolicy.Repeating policy, RetryAdvice advice) {
    if (advice.isRefused()) {
      return Optional.of(" Not retried: the target answered " + RetryAdvice.HEADER + ": no");
    }
    return advice.status().isPresent() && policy.giveUpOn().contains(advice.status().getAsInt())
        ? Optional.of(" Not retried: " + advice.status().getAsInt() + " is in giveUpOn")
        : Optional.empty();
  }

  /**
   * Returns when the target wants to be called again. The cap bounds the request of a hostile
   * target.
   */
  Optional<Instant> retryAfter(AttemptResult result) {
    Instant longest = result.end().plus(maxRetryAfter);
    return result.advice().notBefore().map(asked -> asked.isAfter(longest) ? longest : asked);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * Returns the retry policy of the action. An error action without its own policy uses that of the
   * main action.
   */
  private static RetryPolicy policy(Attempt attempt, JobDefinition definition) {
    RetryPolicy own = action(attempt, definition).retryPolicy();
    return own instanceof RetryPolicy.Unspecified ? definition.action().retryPolicy() : own;
  }

  /**
   * Returns the latest instant of a retry. An error action without its own policy does not inherit
   * the bound of the main action, which may have used it up.
   */
  private static Optional<Instant> bound(Attempt attempt, JobDefinition definition) {
    return action(attempt, definition).retryPolicy() instanceof RetryPolicy.Repeating policy
        ? policy.maxDuration().map(attempt.dueAt()::plus)
        : Optional.empty();
  }

  /** A successful error action does not turn the execution into a success. */
  private static JobState finalState(Attempt attempt, AttemptResult result) {
    return attempt.phase() == Attempt.Phase.MAIN && result.succeeded()
        ? JobState.COMPLETED
        : JobState.FAULTED;
  }

  private static HistoryEntry entry(Attempt attempt, AttemptResult result) {
    return HistoryEntry.of(attempt, result.start(), result.end(), result.status(), result.message())
        .withCall(result.call());
  }
}
