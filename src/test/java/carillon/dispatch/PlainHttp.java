package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.config.Settings;
import carillon.egress.CheckedEgress;
import carillon.egress.Egress;
import carillon.egress.EgressPolicy;
import carillon.egress.OwnPlaces;
import carillon.vault.Vault;
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
    ExecutionHeaders headers = new ExecutionHeaders("Carillon/test", dispatch.region());
    TokenEndpoint endpoint = new TokenEndpoint(vertx, dispatch, egress);
    return new HttpInvoker(
        vertx,
        clock,
        dispatch,
        headers,
        new Authenticator(
            clock, dispatch, Settings.defaults().oauth(), new TokenSource(endpoint, clock)),
        new Signer(name -> Future.succeededFuture(Optional.empty()), Vault.locked(), clock),
        egress);
  }

  /** The way to this machine. */
  static Egress loopback(Vertx vertx) {
    return CheckedEgress.of(vertx, new EgressPolicy(List.of(), true, new OwnPlaces()));
  }
}
