package carillon.job.action;

import java.time.Duration;
import java.util.Optional;

/**
 * A call and how its attempts are made.
 *
 * @param call to perform
 * @param retryPolicy for this call
 * @param timeout of one attempt, from waiting for a connection to the last byte; empty for that of
 *     the deployment
 * @param successOn the successful statuses; empty for those of the deployment, and for other calls
 *     than HTTP
 * @param flow name of the flow that its calls pass; empty if the destination determines it
 * @param placeholders whether texts of the call hold placeholders, to be filled for each attempt
 */
public record Action(
    ActionCall call,
    RetryPolicy retryPolicy,
    Optional<Duration> timeout,
    Optional<StatusSet> successOn,
    Optional<String> flow,
    boolean placeholders) {
  /** An action with the default timeout and successful statuses, without a flow. */
  public Action(ActionCall call, RetryPolicy retryPolicy) {
    this(call, retryPolicy, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /** Returns this action with another call, or this action itself if the call is the same. */
  public Action with(ActionCall other) {
    return other == call
        ? this
        : new Action(other, retryPolicy, timeout, successOn, flow, placeholders);
  }
}
