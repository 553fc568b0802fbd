package carillon.api.http;

import carillon.access.Caller;
import carillon.access.RequiredPermission;
import carillon.access.Scope;
import carillon.auth.ClientNetwork;
import carillon.auth.RequestAuthenticator;
import carillon.job.Quoted;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Stands before every route that is not open to everybody: finds out who asks, before the body is
 * read. What he may do is for each route to ask with {@link #check}.
 */
public final class AuthenticationHandler implements Handler<RoutingContext> {
  private static final String CALLER = "carillon.caller";

  private final RequestAuthenticator login;
  private final AdmissionLimits admission;
  private final InstantSource clock;
  private final BiConsumer<HttpServerRequest, Throwable> refuser;

  /**
   * For one event loop.
   *
   * @param refuser sends a refusal, in the dialect of the path
   */
  public AuthenticationHandler(
      RequestAuthenticator login,
      AdmissionLimits admission,
      InstantSource clock,
      BiConsumer<HttpServerRequest, Throwable> refuser) {
    this.login = login;
    this.admission = admission;
    this.clock = clock;
    this.refuser = refuser;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Future<Caller> found = login.identify(ctx.request());
    if (found.succeeded()) {
      enter(ctx, found.result());
      return;
    }
    ctx.request().pause();
    found
        .onSuccess(caller -> enter(ctx, caller))
        .onFailure(failure -> refuser.accept(ctx.request(), failure))
        .onComplete(done -> ctx.request().resume());
  }

  private void enter(RoutingContext ctx, Caller caller) {
    try {
      admission.countCaller(name(caller, ctx.request()), clock.instant());
    } catch (HttpException refusal) {
      refuser.accept(ctx.request(), refusal);
      return;
    }
    ctx.put(CALLER, caller);
    ctx.next();
  }

  /** Where nobody says who he is, addresses are told apart. */
  public static String name(Caller caller, HttpServerRequest request) {
    return caller.proof() == Caller.AuthenticationMethod.NONE
        ? ClientNetwork.of(request.remoteAddress().hostAddress())
        : caller.text();
  }

  /** Who asks. */
  public static Caller caller(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    if (caller == null) {
      throw new IllegalStateException("a route before the gate asks who is calling");
    }
    return caller;
  }

  /**
   * What the caller may see of a subscription, or of one group of it; see {@link Caller#visible}.
   */
  public static List<Scope> visible(Caller caller, String subscription, Optional<String> group) {
    return subscription.isEmpty() || group.filter(String::isEmpty).isPresent()
        ? List.of()
        : caller.visible(new Scope(subscription, group.orElse(""), ""));
  }

  /**
   * Refuses what the caller may not do.
   *
   * @param hidden what he is told when he may not even know of it
   */
  public static void check(
      Caller caller, RequiredPermission permission, Supplier<? extends RuntimeException> hidden) {
    switch (permission.decide(caller)) {
      case FORBIDDEN ->
          throw HttpException.forbidden(
              "'" + Quoted.of(caller.name()) + "' may not do this: it needs " + permission.text());
      case HIDDEN -> throw hidden.get();
      case ALLOWED -> {
        // goes on
      }
    }
  }
}
