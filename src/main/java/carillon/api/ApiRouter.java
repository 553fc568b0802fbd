package carillon.api;

import carillon.access.Caller;
import carillon.api.console.ConsoleRoutes;
import carillon.api.edge.BodyReader;
import carillon.api.edge.BodyReader.RequestBody;
import carillon.api.http.ApiObserver;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.HttpException;
import carillon.api.http.Route;
import carillon.api.http.RoutePath;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.auth.RequestAuthenticator;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Router of the API: takes each request through the handlers of Vert.x Web. It finds the request's
 * row in the table of routes, applies the guards, identifies the caller, reads the body, checks the
 * permission, calls the handler and sends its response, or the refusal. The rows are not routes of
 * Vert.x Web, because it tries its routes one after the other; {@link RouteTable} explains the
 * cost. Confined to an event loop.
 *
 * @param observer learns how each request ends
 * @param dialects envelopes that may refuse paths that are in no table
 * @param console empty on a node that does not serve the API
 */
record ApiRouter(
    RouteTable routes,
    RequestGuards guards,
    RequestAuthenticator login,
    BodyReader bodies,
    ApiObserver observer,
    InstantSource clock,
    List<DialectEnvelope> dialects,
    Optional<ConsoleRoutes> console) {
  /** Key in the context of a request that has been found in the table. */
  private static final String ARRIVED = "carillon.arrived";

  /**
   * Request whose head has been read.
   *
   * @param path its row of the table and the names in its path
   * @param begun instant at which its head was read, by {@link System#nanoTime}
   */
  private record Arrived(HttpServerRequest http, RoutePath path, long begun) {}

  /** Labels of the resources that every node serves. */
  private static final Set<String> OF_EVERY_NODE =
      Set.of("product", "openapi", "health", "metrics", "nodes");

  private static final Route MISDIRECTED =
      new Route(
          DialectEnvelope.NONE,
          "*",
          List.of(),
          "refused",
          RoutePermission.KNOWN,
          Route.BodyFormat.JSON,
          List.of(Route.ANY_PARAMETER),
          request -> Future.failedFuture(HttpException.misdirected()));

  /** Statuses of malformed or too large bodies, which all dialects answer alike. */
  private static final Set<Integer> OF_HTTP = Set.of(400, 413);

  /** Handler of all requests of a server. */
  Handler<HttpServerRequest> handler(Vertx vertx) {
    Router router = router(vertx);
    return http -> {
      long begun = System.nanoTime();
      try {
        guards.checkProtocol(http); // Vert.x Web cannot do without a host
      } catch (HttpException refusal) {
        guards.cors().allowReading(http, this::needsNoPermission);
        reject(http, begun, refusal);
        return;
      }
      router.handle(http);
    };
  }

  /** Handlers of a request, in this order. */
  private Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(guards.cors().handler(this::needsNoPermission));
    router.route().handler(this::admit);
    console.ifPresent(files -> router.route().handler(ctx -> sendFile(files, ctx)));
    router.route().handler(this::answer);
    router.route().failureHandler(ctx -> refuse(ctx.get(ARRIVED), ctx.failure()));
    router.errorHandler(
        400, ctx -> reject(ctx.request(), System.nanoTime(), BodyReader.unreadable()));
    return router;
  }

  private boolean needsNoPermission(HttpServerRequest http) {
    RoutePath path = routes.find(routed(http.method()), http.path());
    return path.route().permission() == RoutePermission.OPEN;
  }

  private void admit(RoutingContext ctx) {
    long begun = System.nanoTime();
    HttpServerRequest http = ctx.request();
    RoutePath path = routes.find(routed(http.method()), http.path());
    try {
      guards.checkBody(http, path);
    } catch (HttpException refusal) {
      reject(http, begun, refusal);
      return;
    }
    Arrived arrived = new Arrived(http, path, begun);
    try {
      guards.admit(http, path.route().permission());
      ctx.put(ARRIVED, arrived).next();
    } catch (HttpException refusal) {
      refuse(arrived, refusal);
    }
  }

  /** A HEAD is answered as the GET, without its body (RFC 9110, section 9.3.2). */
  private static String routed(HttpMethod method) {
    return method.equals(HttpMethod.HEAD) ? HttpMethod.GET.name() : method.name();
  }

  private void sendFile(ConsoleRoutes files, RoutingContext ctx) {
    Arrived arrived = ctx.get(ARRIVED);
    files
        .file(ctx.request())
        .ifPresentOrElse(file -> respond(ctx.request(), arrived.begun, "console", file), ctx::next);
  }

  private void answer(RoutingContext ctx) {
    Arrived arrived = ctx.get(ARRIVED);
    if (arrived.path.route().permission() == RoutePermission.OPEN) {
      serve(arrived);
    } else {
      identify(arrived);
    }
  }

  /** Answers a caller without authentication. Their body is read only in a POST. */
  private void serve(Arrived arrived) {
    if (!arrived.http.method().equals(HttpMethod.POST)) {
      serve(arrived, ApiRequest.NOBODY, RequestBody.NONE);
      return;
    }
    bodies
        .readSmall(arrived.http)
        .onSuccess(body -> serve(arrived, ApiRequest.NOBODY, body))
        .onFailure(failure -> refuseBody(arrived, failure));
  }

  /** Identifies the caller; the body waits while Redis or an issuer is asked. */
  private void identify(Arrived arrived) {
    HttpServerRequest http = arrived.http;
    Future<Caller> found = login.identify(http);
    if (!found.isComplete()) {
      http.pause();
    }
    found
        .compose(
            caller -> {
              guards.count(caller, http);
              return bodies
                  .read(http, arrived.path.route().body())
                  .onSuccess(body -> serve(arrived, caller, body));
            })
        .onFailure(
            failure -> {
              refuseBody(arrived, failure);
              http.resume();
            });
  }

  private void refuseBody(Arrived arrived, Throwable failure) {
    if (failure instanceof HttpException refusal && OF_HTTP.contains(refusal.status())) {
      reject(arrived.http, arrived.begun, refusal);
    } else {
      refuse(arrived, failure);
    }
  }

  private void serve(Arrived arrived, Caller caller, RequestBody body) {
    boolean isServed = console.isPresent() || OF_EVERY_NODE.contains(arrived.path.route().label());
    RoutePath path = isServed ? arrived.path : new RoutePath(MISDIRECTED, List.of());
    answer(new Arrived(arrived.http, path, arrived.begun), caller, body);
  }

  private void answer(Arrived arrived, Caller caller, RequestBody body) {
    HttpServerRequest http = arrived.http;
    RoutePath path = arrived.path;
    Route route = path.route();
    DialectEnvelope envelope = route.envelope();
    ApiRequest request =
        new ApiRequest(
            http, body.content(), path, caller, clock.instant(), observer, arrived.begun);
    Map<String, String> headers = envelope.headers(http, request.now());
    Future.succeededFuture()
        .compose(
            begun -> {
              envelope.parse(request);
              request.checkPermission(caller);
              envelope.admit(request, headers);
              return route.handler().answer(request);
            })
        .otherwise(failure -> envelope.refusal(failure, http, path))
        .map(response -> envelope.withHeaders(response, path, headers))
        .onSuccess(
            response -> {
              response.send(http);
              request.answered(response.status());
            })
        .onComplete(done -> body.release().run());
  }

  /** Refuses a request that does not get to its route, in the dialect of its path. */
  private void refuse(Arrived arrived, Throwable failure) {
    HttpServerRequest http = arrived.http;
    RoutePath path = arrived.path;
    DialectEnvelope envelope = refusing(path.route().envelope(), http.path());
    Map<String, String> headers = envelope.headers(http, clock.instant());
    respond(
        http,
        arrived.begun,
        "refused",
        envelope.withHeaders(envelope.refusal(failure, http, path), path, headers));
  }

  /** Refuses a request that is not even good HTTP, in no dialect. */
  private void reject(HttpServerRequest http, long begun, HttpException refusal) {
    respond(http, begun, "refused", refusal.answer(http));
  }

  /** Sends a response that no route has made. */
  private void respond(HttpServerRequest http, long begun, String label, ApiResponse response) {
    response.send(http);
    observer.answered(
        DialectEnvelope.NONE.word(), label, http.method().name(), response.status(), begun);
  }

  /** Returns the envelope of a route, or of a dialect that refuses this unknown path. */
  private DialectEnvelope refusing(DialectEnvelope found, String path) {
    return found == DialectEnvelope.NONE
        ? dialects.stream()
            .filter(dialect -> dialect.refuses(String.valueOf(path)))
            .findFirst()
            .orElse(found)
        : found;
  }
}
