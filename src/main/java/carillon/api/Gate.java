package carillon.api;

import carillon.access.Demand;
import carillon.access.Identity;
import carillon.access.Scope;
import carillon.job.Excerpt;
import carillon.login.ClientNetwork;
import carillon.login.Login;
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
final class Gate implements Handler<RoutingContext> {
  private static final String CALLER = "carillon.caller";

  private final Login login;
  private final Doors doors;
  private final InstantSource clock;
  private final BiConsumer<HttpServerRequest, Throwable> refuser;

  /**
   * For one event loop.
   *
   * @param refuser sends a refusal, in the dialect of the path
   */
  Gate(
      Login login,
      Doors doors,
      InstantSource clock,
      BiConsumer<HttpServerRequest, Throwable> refuser) {
    this.login = login;
    this.doors = doors;
    this.clock = clock;
    this.refuser = refuser;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Future<Identity> identity = login.identify(ctx.request());
    if (identity.succeeded()) {
      enter(ctx, identity.result());
      return;
    }
    ctx.request().pause();
    identity
        .onSuccess(who -> enter(ctx, who))
        .onFailure(failure -> refuser.accept(ctx.request(), failure))
        .onComplete(done -> ctx.request().resume());
  }

  private void enter(RoutingContext ctx, Identity who) {
    try {
      doors.countCaller(name(who, ctx.request()), clock.instant());
    } catch (HttpRefusal refusal) {
      refuser.accept(ctx.request(), refusal);
      return;
    }
    ctx.put(CALLER, who);
    ctx.next();
  }

  /** Where nobody says who he is, addresses are told apart. */
  static String name(Identity who, HttpServerRequest request) {
    return who.proof() == Identity.Proof.NONE
        ? ClientNetwork.of(request.remoteAddress().hostAddress())
        : who.text();
  }

  /** Who asks. */
  static Identity caller(RoutingContext ctx) {
    Identity caller = ctx.get(CALLER);
    if (caller == null) {
      throw new IllegalStateException("a route before the gate asks who is calling");
    }
    return caller;
  }

  /**
   * What the caller may see of a subscription, or of one group of it; see {@link Identity#visible}.
   */
  static List<Scope> visible(Identity caller, String subscription, Optional<String> group) {
    return subscription.isEmpty() || group.filter(String::isEmpty).isPresent()
        ? List.of()
        : caller.visible(new Scope(subscription, group.orElse(""), ""));
  }

  /**
   * Refuses what the caller may not do.
   *
   * @param hidden what he is told when he may not even know of it
   */
  static void check(Identity caller, Demand demand, Supplier<? extends RuntimeException> hidden) {
    switch (demand.decide(caller)) {
      case FORBIDDEN ->
          throw HttpRefusal.forbidden(
              "'" + Excerpt.of(caller.name()) + "' may not do this: it needs " + demand.text());
      case HIDDEN -> throw hidden.get();
      case ALLOWED -> {
        // goes on
      }
    }
  }
}
