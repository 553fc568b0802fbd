package carillon.dispatch.call;

import carillon.config.DispatchSettings;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.StatusSet;
import carillon.job.attempt.Attempt;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Invoker of one kind of action: makes its attempts. Confined to the event loop that made it.
 *
 * @param <C> the kind
 */
public interface ActionInvoker<C extends ActionCall> {
  /**
   * Makes one attempt; the future completes within the time-out. A failure of the target is a
   * result. The future fails only with an exception of {@code check}, or after an internal error.
   *
   * @param name {@code collection/job}
   * @param options options of the action for its attempts
   * @param check runs when all is ready, right before the first byte of the call is sent; nothing
   *     is sent if it throws
   */
  Future<AttemptResult> invoke(
      Attempt attempt, String name, C call, CallOptions options, Runnable check);

  /** Closes the connections of this invoker, if it has any. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }

  /**
   * Options of one call.
   *
   * @param timeout of the whole attempt
   * @param successOn the statuses that are a success
   */
  record CallOptions(Duration timeout, StatusSet successOn) {
    /** Returns the options of the action; the settings of the deployment are the default. */
    public static CallOptions of(Action action, DispatchSettings settings) {
      Duration timeout = action.timeout().orElse(settings.timeout());
      Duration longest = settings.maxTimeout(); // may be shorter than when the job was written
      return new CallOptions(
          timeout.compareTo(longest) > 0 ? longest : timeout,
          action.successOn().orElse(StatusSet.SUCCESS));
    }
  }

  /**
   * Signals that an attempt did not begin. Nothing was sent, and the attempt does not count. The
   * caller must release its claim.
   */
  final class NotBegunException extends RuntimeException {
    private final Duration pause;

    /**
     * Creates the signal for an attempt that should begin later.
     *
     * @param why reason, fit for a log
     * @param pause until another claim makes sense
     */
    public NotBegunException(String why, Duration pause) {
      super(why, null, false, false);
      this.pause = pause;
    }

    public Duration pause() {
      return pause;
    }
  }
}
