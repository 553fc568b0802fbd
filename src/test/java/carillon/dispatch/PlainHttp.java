package carillon.dispatch;

import carillon.config.Settings;
import io.vertx.core.Vertx;
import java.time.InstantSource;

/** The invoker that queue actions make their HTTP requests with. */
final class PlainHttp {
  private PlainHttp() {}

  /** To be called on the event loop that is to use it. */
  static HttpInvoker invoker(Vertx vertx, InstantSource clock, Settings.Dispatch dispatch) {
    ExecutionHeaders headers = new ExecutionHeaders("Carillon/test", dispatch.region());
    return new HttpInvoker(vertx, clock, dispatch, headers);
  }
}
