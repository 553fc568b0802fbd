package carillon.job.action;

import java.time.Duration;
import java.util.Optional;

/** Retry policy: whether, when and how often a failed attempt is repeated. */
public sealed interface RetryPolicy {
  /** No policy in the job: the deployment's default applies, and answers show none. */
  RetryPolicy UNSPECIFIED = new Unspecified();

  /** No retries: a single attempt. */
  RetryPolicy NONE = new None();

  /**
   * A deployment's default: a number of retries after equal pauses, with no other bound.
   *
   * @param interval see {@link Repeating#interval}
   * @param count see {@link Repeating#count}
   */
  static Repeating standard(Duration interval, int count) {
    return new Fixed(interval, count, Optional.empty());
  }

  /** Returns the policy in force if {@code standard} is the deployment's default. */
  Repeating orDefault(Repeating standard);

  /** Policy that the client did not give. */
  record Unspecified() implements RetryPolicy {
    @Override
    public Repeating orDefault(Repeating standard) {
      return standard;
    }
  }

  /** retryType none. */
  record None() implements RetryPolicy {
    private static final Fixed NEVER = new Fixed(Duration.ZERO, 0, Optional.empty());

    @Override
    public Repeating orDefault(Repeating standard) {
      return NEVER;
    }
  }

  /** Retries, a number of times, each after a pause. */
  sealed interface Repeating extends RetryPolicy {
    /** Delay before the first retry, from the end of the failed attempt. */
    Duration interval();

    /** Further attempts after the first, 0 or more. */
    int count();

    /**
     * Longest time from the due instant of the occurrence to the start of a retry; empty for no
     * limit.
     */
    Optional<Duration> maxDuration();

    /** Statuses that no retry follows. */
    StatusSet giveUpOn();

    /**
     * Delay before a retry, from the end of the failed attempt.
     *
     * @param attempt the failed one, from 1
     * @param random from 0 to 1, spreads attempts that failed together
     */
    Duration pause(int attempt, double random);

    @Override
    default Repeating orDefault(Repeating standard) {
      return this;
    }
  }

  /** retryType fixed: always the same pause. */
  record Fixed(Duration interval, int count, Optional<Duration> maxDuration, StatusSet giveUpOn)
      implements Repeating {
    /** A policy that ignores statuses. */
    public Fixed(Duration interval, int count, Optional<Duration> maxDuration) {
      this(interval, count, maxDuration, StatusSet.NONE);
    }

    @Override
    public Duration pause(int attempt, double random) {
      return interval;
    }
  }

  /**
   * retryType exponential: each pause is {@code factor} times the one before, up to {@code
   * maxInterval}, and then shortened by a random part of it.
   *
   * @param factor 1 or more
   * @param jitter the largest part by which a pause is shortened, 0 to 1
   */
  record Exponential(
      Duration interval,
      double factor,
      Duration maxInterval,
      double jitter,
      int count,
      Optional<Duration> maxDuration,
      StatusSet giveUpOn)
      implements Repeating {
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public Duration pause(int attempt, double random) {
      double grown = millis(interval) * Math.pow(factor, attempt - 1.0);
      double capped = Math.min(grown, millis(maxInterval));
      return Duration.ofMillis(Math.round(capped * (1 - jitter * random)));
    }

    private static double millis(Duration duration) {
      return duration.toMillis() + duration.toNanosPart() % NANOS_PER_MILLI / NANOS_PER_MILLI;
    }
  }
}
