package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.config.Settings;
import carillon.dispatch.egress.Egress;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.EgressResolver;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.secret.Vault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Invokers of calls that are neither authenticated by OAuth nor signed. */
final class PlainHttp {
  private PlainHttp() {}

  /** One that may call this machine. To be called on the event loop that is to use it. */
  static HttpInvoker invoker(Vertx vertx, InstantSource clock, DispatchSettings dispatch) {
    return invoker(vertx, clock, dispatch, loopback(vertx));
  }

  /** To be called on the event loop that is to use it. */
  static HttpInvoker invoker(
      Vertx vertx, InstantSource clock, DispatchSettings dispatch, Egress egress) {
    ExecutionHeaders headers =
        new ExecutionHeaders("Carillon/test", dispatch.region(), false, false);
    OAuthTokenClient endpoint = new OAuthTokenClient(vertx, dispatch, egress);
    return new HttpInvoker(
        vertx,
        clock,
        dispatch,
        headers,
        new Authenticator(
            clock, dispatch, Settings.defaults().oauth(), new OAuthTokenCache(endpoint, clock)),
        new WebhookSigner(name -> Future.succeededFuture(Optional.empty()), Vault.locked(), clock),
        egress);
  }

  /** The way to this machine. */
  static Egress loopback(Vertx vertx) {
    return EgressResolver.of(vertx, new EgressPolicy(List.of(), true, new OwnEndpoints()));
  }
}
