package carillon.dispatch;

import carillon.config.Settings;
import carillon.vault.Vault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;

/** The invoker that queue actions make their HTTP requests with. */
final class PlainHttp {
  private PlainHttp() {}

  /** To be called on the event loop that is to use it. */
  static HttpInvoker invoker(Vertx vertx, InstantSource clock, Settings.Dispatch dispatch) {
    ExecutionHeaders headers = new ExecutionHeaders("Carillon/test", dispatch.region());
    TokenEndpoint endpoint = new TokenEndpoint(vertx, dispatch, Settings.defaults().oauth());
    return new HttpInvoker(
        vertx,
        clock,
        dispatch,
        headers,
        new Authenticator(clock, dispatch, new TokenSource(endpoint, clock)),
        new Signer(name -> Future.succeededFuture(Optional.empty()), Vault.locked(), clock));
  }
}
