package carillon.dispatch;

import carillon.job.Call;
import carillon.job.HttpCall;
import carillon.job.Run;
import io.vertx.core.Future;

/**
 * Gives each attempt to the invoker of its kind.
 *
 * @param http for HTTP and HTTPS calls
 */
record Invokers(HttpInvoker http) implements Invoker<Call> {
  @Override
  public Future<AttemptResult> invoke(Run run, String name, Call call) {
    return http.invoke(run, name, (HttpCall) call);
  }

  @Override
  public Future<Void> close() {
    return http.close();
  }
}
