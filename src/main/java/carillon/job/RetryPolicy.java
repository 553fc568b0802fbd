package carillon.job;

import java.time.Duration;

/** What follows a failed attempt. */
public sealed interface RetryPolicy {
  /** The job names no policy: the deployment's default holds, and answers show none. */
  RetryPolicy UNSPECIFIED = new Unspecified();

  /** One attempt, no retry. */
  RetryPolicy NONE = new None();

  /** Not given by the client. */
  record Unspecified() implements RetryPolicy {
    @Override
    public Fixed orDefault(Fixed standard) {
      return standard;
    }
  }

  /** retryType none. */
  record None() implements RetryPolicy {
    private static final Fixed NEVER = new Fixed(Duration.ZERO, 0);

    @Override
    public Fixed orDefault(Fixed standard) {
      return NEVER;
    }
  }

  /**
   * retryType fixed.
   *
   * @param interval from the end of a failed attempt to the next
   * @param count further attempts after the first, 0 or more
   */
  record Fixed(Duration interval, int count) implements RetryPolicy {
    @Override
    public Fixed orDefault(Fixed standard) {
      return this;
    }
  }

  /** The policy in force where {@code standard} is the deployment's default. */
  Fixed orDefault(Fixed standard);
}
