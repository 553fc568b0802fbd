package carillon.dispatch;

import carillon.job.Call;
import carillon.job.Run;
import io.vertx.core.Future;

/**
 * Makes the attempts of one kind of action. Confined to the event loop that made it.
 *
 * @param <C> the kind
 */
interface Invoker<C extends Call> {
  /**
   * Makes one attempt; the future never fails, and completes within {@code dispatch.timeout}.
   *
   * @param name {@code collection/job}
   */
  Future<AttemptResult> invoke(Run run, String name, C call);

  /** Gives up its connections. */
  Future<Void> close();
}
