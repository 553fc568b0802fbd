package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.config.Settings;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.call.WebhookSigner;
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

/** Creates invokers of calls that are neither authenticated by OAuth nor signed. */
public final class PlainHttp {
  private PlainHttp() {}

  /**
   * Creates an invoker that may call this machine. Must be called on the event loop of the invoker.
   */
  public static HttpInvoker invoker(Vertx vertx, InstantSource clock, DispatchSettings dispatch) {
    return invoker(vertx, clock, dispatch, loopback(vertx));
  }

  /** Creates an invoker. Must be called on the event loop of the invoker. */
  static HttpInvoker invoker(
      Vertx vertx, InstantSource clock, DispatchSettings dispatch, Egress egress) {
    return invoker(vertx, clock, dispatch, egress, DispatchObserver.NONE);
  }

  /** Creates an invoker. Must be called on the event loop of the invoker. */
  static HttpInvoker invoker(
      Vertx vertx,
      InstantSource clock,
      DispatchSettings dispatch,
      Egress egress,
      DispatchObserver observer) {
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
        egress,
        observer);
  }

  /** Returns an egress that may reach this machine. */
  public static Egress loopback(Vertx vertx) {
    return EgressResolver.of(vertx, new EgressPolicy(List.of(), true, new OwnEndpoints()));
  }
}
