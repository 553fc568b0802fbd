package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.job.Action;
import carillon.job.StatusSet;
import java.time.Duration;

/**
 * Options of one call.
 *
 * @param timeout of the whole attempt
 * @param successOn the statuses that are a success
 */
record CallOptions(Duration timeout, StatusSet successOn) {
  /** What the action says, or the deployment where it says nothing. */
  static CallOptions of(Action action, DispatchSettings settings) {
    Duration timeout = action.timeout().orElse(settings.timeout());
    Duration longest = settings.maxTimeout(); // may be shorter than when the job was written
    return new CallOptions(
        timeout.compareTo(longest) > 0 ? longest : timeout,
        action.successOn().orElse(StatusSet.SUCCESS));
  }
}
