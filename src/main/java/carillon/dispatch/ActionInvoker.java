package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.job.Action;
import carillon.job.ActionCall;
import carillon.job.Attempt;
import carillon.job.StatusSet;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * Invoker of one kind of action: makes its attempts. Confined to the event loop that made it.
 *
 * @param <C> the kind
 */
interface ActionInvoker<C extends ActionCall> {
  /**
   * Makes one attempt; the future completes within the time-out. A target that fails is a result;
   * the future fails only with what {@code check} throws, and when something is wrong here.
   *
   * @param name {@code collection/job}
   * @param options what the action says of its attempts
   * @param check run when all is ready, right before the first byte of the call is sent; when it
   *     throws nothing is sent
   */
  Future<AttemptResult> invoke(
      Attempt attempt, String name, C call, CallOptions options, Runnable check);

  /** Gives up its connections, if it has any of its own. */
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
    /** What the action says, or the deployment where it says nothing. */
    static CallOptions of(Action action, DispatchSettings settings) {
      Duration timeout = action.timeout().orElse(settings.timeout());
      Duration longest = settings.maxTimeout(); // may be shorter than when the job was written
      return new CallOptions(
          timeout.compareTo(longest) > 0 ? longest : timeout,
          action.successOn().orElse(StatusSet.SUCCESS));
    }
  }

  /**
   * An attempt was not begun: nothing was sent, and it does not count. Its claim is to be given
   * back.
   */
  final class NotBegunException extends RuntimeException {
    private final Duration pause;

    /**
     * An attempt that somebody is to begin.
     *
     * @param why fit for a log
     * @param pause before it is worth another claim
     */
    NotBegunException(String why, Duration pause) {
      super(why, null, false, false);
      this.pause = pause;
    }

    Duration pause() {
      return pause;
    }
  }
}
