package carillon.job;

/**
 * A call and its retry policy.
 *
 * @param call what is performed
 * @param retryPolicy for this call
 */
public record Action(ActionCall call, RetryPolicy retryPolicy) {
  /** The same action with another call. */
  Action with(ActionCall other) {
    return other == call ? this : new Action(other, retryPolicy);
  }
}
