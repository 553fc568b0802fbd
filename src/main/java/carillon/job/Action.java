package carillon.job;

import java.time.Duration;
import java.util.Optional;

/**
 * A call and how its attempts are made.
 *
 * @param call what is performed
 * @param retryPolicy for this call
 * @param timeout of one attempt, from waiting for a connection to the last byte; empty for that of
 *     the deployment
 * @param successOn the statuses that are a success; empty for those of the deployment, and for what
 *     is no HTTP call
 * @param flow name of the flow that its calls pass; empty where the destination decides
 */
public record Action(
    ActionCall call,
    RetryPolicy retryPolicy,
    Optional<Duration> timeout,
    Optional<StatusSet> successOn,
    Optional<String> flow) {
  /** An action whose attempts last, and succeed, as they do by default. */
  public Action(ActionCall call, RetryPolicy retryPolicy) {
    this(call, retryPolicy, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** This action with another call; itself when the call stays the same. */
  Action with(ActionCall other) {
    return other == call ? this : new Action(other, retryPolicy, timeout, successOn, flow);
  }

  /** The property that needs nodes of {@link JobDefinition#SCHEDULE_FORMAT}; empty for none. */
  Optional<String> guardedProperty() {
    if (retryPolicy instanceof RetryPolicy.Repeating policy && !policy.giveUpOn().isEmpty()) {
      return Optional.of("retryPolicy.giveUpOn");
    }
    return timeout
        .map(given -> "timeout")
        .or(() -> successOn.map(given -> "successOn"))
        .or(() -> flow.map(given -> "flow"));
  }
}
