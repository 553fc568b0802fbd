package carillon.dispatch;

import carillon.job.ActionCall;
import carillon.job.Attempt;
import io.vertx.core.Future;

/**
 * Makes the attempts of one kind of action. Confined to the event loop that made it.
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
}
