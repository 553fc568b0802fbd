package carillon.api;

import carillon.access.Caller;
import carillon.api.console.ConsoleRoutes;
import carillon.api.http.ApiResponse;
import carillon.api.http.BodyReader;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.HttpException;
import carillon.api.http.RequestPipeline;
import carillon.api.http.Route;
import carillon.api.http.RoutePath;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.auth.RequestAuthenticator;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The way of a request: it finds its route, passes the guards, is asked who sends it, its body is
 * read, and the pipeline answers it. Confined to an event loop.
 *
 * @param console empty on a node that does not serve the API
 */
record ApiRouter(
    RouteTable routes,
    RequestGuards guards,
    RequestAuthenticator login,
    BodyReader bodies,
    RequestPipeline pipeline,
    Optional<ConsoleRoutes> console)
    implements Handler<HttpServerRequest> {
  /** The resources, by their labels, that every node answers for. */
  private static final Set<String> OF_EVERY_NODE =
      Set.of("product", "openapi", "health", "metrics", "nodes");

  private static final Route MISDIRECTED =
      new Route(
          DialectEnvelope.NONE,
          "*",
          List.of(),
          "refused",
          RoutePermission.KNOWN,
          request -> Future.failedFuture(HttpException.misdirected()));

  /**
   * The statuses of a body that is no good HTTP or too large, which are the same in all dialects.
   */
  private static final Set<Integer> OF_HTTP = Set.of(400, 413);

  @Override
  public void handle(HttpServerRequest http) {
    RoutePath path = routes.find(http.method().name(), http.path());
    try {
      guards.checkProtocol(http, path);
    } catch (HttpException refusal) {
      pipeline.reject(http, refusal);
      return;
    }
    try {
      guards.admit(http);
      answer(http, path);
    } catch (HttpException refusal) {
      pipeline.refuse(http, path, refusal);
    }
  }

  private void answer(HttpServerRequest http, RoutePath path) {
    Optional<ApiResponse> file = console.flatMap(files -> files.file(http));
    if (file.isPresent()) {
      pipeline.answer(http, "console", file.get());
    } else if (path.route().permission() == RoutePermission.OPEN) {
      pipeline.answer(http, path);
    } else {
      identify(http, path);
    }
  }

  /** Where the caller has to be asked for elsewhere, the body waits. */
  private void identify(HttpServerRequest http, RoutePath path) {
    Future<Caller> found = login.identify(http);
    if (!found.isComplete()) {
      http.pause();
    }
    found
        .compose(
            caller -> {
              guards.count(caller, http);
              return bodies.read(http).onSuccess(body -> serve(http, path, caller, body));
            })
        .onFailure(
            failure -> {
              refuse(http, path, failure);
              http.resume();
            });
  }

  private void refuse(HttpServerRequest http, RoutePath path, Throwable failure) {
    if (failure instanceof HttpException refusal && OF_HTTP.contains(refusal.status())) {
      pipeline.reject(http, refusal);
    } else {
      pipeline.refuse(http, path, failure);
    }
  }

  private void serve(HttpServerRequest http, RoutePath path, Caller caller, Optional<Buffer> body) {
    boolean isServed = console.isPresent() || OF_EVERY_NODE.contains(path.route().label());
    pipeline.answer(http, isServed ? path : new RoutePath(MISDIRECTED, List.of()), caller, body);
  }
}
