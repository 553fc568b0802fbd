package carillon.api;

import carillon.access.Demand;
import carillon.access.Identity;
import carillon.access.Role;
import carillon.job.Excerpt;
import carillon.job.JobException;
import carillon.login.Login;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Everything that is served: the resources, what stands beside them, and the order of checks. */
final class Service {
  private static final int TOO_LARGE = 413;
  private static final int BAD_REQUEST = 400;

  private final Resources resources;
  private final HealthRoutes health;
  private final NodeRoutes nodes;
  private final OverviewRoute overview;
  private final DueRoute due;
  private final MetricsRoute metrics;
  private final ApiObserver observer;
  private final KeyRoutes keys;
  private final AuditRoutes audit;
  private final Login login;
  private final Doors doors;
  private final Overload overload;
  private final PreviewRoute preview;
  private final ConsoleRoutes console;
  private final SessionRoutes sessions;
  private final InstantSource clock;
  private final ApiSettings settings;
  private final Product product;
  private final Description description = new Description();

  Service(
      Resources resources,
      HealthRoutes health,
      NodeRoutes nodes,
      OverviewRoute overview,
      ConsoleRoutes console,
      DueRoute due,
      MetricsRoute metrics,
      ApiObserver observer,
      KeyRoutes keys,
      AuditRoutes audit,
      Login login,
      Doors doors,
      Overload overload,
      InstantSource clock,
      ApiSettings settings) {
    this.resources = resources;
    this.health = health;
    this.nodes = nodes;
    this.overview = overview;
    this.console = console;
    this.due = due;
    this.metrics = metrics;
    this.observer = observer;
    this.keys = keys;
    this.audit = audit;
    this.login = login;
    this.sessions = new SessionRoutes(login);
    this.doors = doors;
    this.overload = overload;
    this.preview = new PreviewRoute(settings.limits());
    this.clock = clock;
    this.settings = settings;
    this.product = new Product(settings.version());
  }

  /** What a server is to call with every request. */
  Handler<HttpServerRequest> handler(Vertx vertx) {
    Router router = router(vertx);
    return request -> {
      try {
        Admission.check(request, doors.limits().names());
        if (admitted(request)) {
          router.handle(request);
        }
      } catch (HttpRefusal refusal) {
        sendRefusal(request, refusal.answer());
      }
    };
  }

  /** What is not is answered as the dialect of the path has it. */
  private boolean admitted(HttpServerRequest request) {
    boolean isRead = Admission.isRead(request);
    try {
      if (!Admission.isMonitoring(request)) {
        overload.check(isRead);
      }
      if (!isRead && !doors.limits().jobsMayWrite()) {
        Admission.checkLoop(request);
      }
      return true;
    } catch (HttpRefusal refusal) {
      sendRefusal(request, resources.refusal(refusal, request));
      return false;
    }
  }

  /** For the test that compares the routes with their description. */
  Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    page(router);
    router
        .get("/health/live")
        .handler(
            ctx -> answer(ctx, "health", visit -> Future.succeededFuture(HealthRoutes.live())));
    if (login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) ->
              router.get(path).handler(ctx -> answer(ctx, resource, visit -> work.on(ctx, visit))));
    }
    router.route().handler(new Gate(login, resources, doors, clock, this::sendRefusal));
    router.route().handler(BodyHandler.create(false).setBodyLimit(settings.maxBody()));
    if (!login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) -> serve(router.get(path), resource, Demand.ANY_ROLE, work));
    }
    serve(
        router.get("/"),
        "product",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(product.answer()));
    serve(
        router.get("/openapi.yaml"),
        "openapi",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(description.answer()));
    serve(
        router.route("/nodes"),
        "nodes",
        Demand.ofEverything(Role.READER),
        (ctx, visit) -> nodes.nodes(ctx.request(), clock.instant()));
    if (settings.servesApi()) {
      console(router);
      work(router);
    } else {
      serve(
          router.route(),
          "refused",
          Demand.KNOWN,
          (ctx, visit) -> Future.failedFuture(HttpRefusal.misdirected()));
    }
    router.route().failureHandler(this::fail);
    router.errorHandler(BAD_REQUEST, this::fail);
    return router;
  }

  /** What a browser loads before it can show a field for a key: nobody's data. */
  private void page(Router router) {
    if (!settings.servesApi()) {
      return;
    }
    router
        .get("/")
        .handler(
            ctx -> {
              if (ConsoleRoutes.isWanted(ctx.request())) {
                answer(ctx, "console", visit -> console.page(ctx.request()));
              } else {
                ctx.next();
              }
            });
    router
        .get("/console/:file")
        .handler(
            ctx -> {
              if (ConsoleRoutes.isFile(ctx.pathParam("file"))) {
                answer(ctx, "console", visit -> console.file(ctx.request(), ctx.pathParam("file")));
              } else {
                ctx.next();
              }
            });
  }

  private void console(Router router) {
    Demand all = Demand.ofEverything(Role.READER);
    serve(
        router.get("/overview"),
        "overview",
        all,
        (ctx, visit) -> overview.answer(ctx.request(), clock.instant()));
    router.get("/console/executions").handler(this::watch);
    serve(
        router.get("/session"),
        "session",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(SessionRoutes.show(Gate.caller(ctx))));
    serve(
        router.post("/session"),
        "session",
        Demand.ANY_ROLE,
        (ctx, visit) -> sessions.signIn(ctx.request(), Gate.caller(ctx)));
    serve(
        router.delete("/session"),
        "session",
        Demand.ANY_ROLE,
        (ctx, visit) -> sessions.signOut(ctx.request()));
  }

  /** A stream is no answer that could be returned: it ends with the client. */
  private void watch(RoutingContext ctx) {
    try {
      mayWatch(ctx, Gate.caller(ctx));
      console.watch(
          ctx.request(), () -> login.identify(ctx.request()).map(who -> mayWatch(ctx, who)));
    } catch (JobException | HttpRefusal refusal) {
      ErrorMapping.answer(refusal, ctx.request()).send(ctx.request());
    }
  }

  private static Void mayWatch(RoutingContext ctx, Identity who) {
    Gate.check(
        who,
        Demand.ofEverything(Role.READER),
        () -> HttpRefusal.notFound(Excerpt.of(ctx.request().path())));
    return null;
  }

  /** What only a node with the role api answers. */
  private void work(Router router) {
    serve(router.route("/preview"), "preview", Demand.ANY_ROLE, (ctx, visit) -> preview(ctx));
    serve(
        router.route("/due"),
        "due",
        Demand.ofEverything(Role.READER),
        (ctx, visit) -> due.due(ctx.request()));
    keys(router);
    // What it demands depends on what it asks for.
    serve(
        router.get("/audit"),
        "audit",
        Demand.KNOWN,
        (ctx, visit) -> audit.audit(ctx.request(), Gate.caller(ctx)));
    // What these demand depends on the resource.
    serve(
        router.route(),
        "unknown",
        Demand.KNOWN,
        (ctx, visit) -> resources.answer(ctx.request(), body(ctx), Gate.caller(ctx), visit));
  }

  /** How a request is answered. */
  private interface Work {
    Future<Answer> on(RoutingContext ctx, Visit visit);
  }

  /** Where a route is put: before the gate or behind it. */
  private interface Place {
    void put(String path, String resource, Work work);
  }

  /** What a load balancer or a monitor asks for. */
  private void monitoring(Place place) {
    place.put("/health", "health", (ctx, visit) -> health.ready());
    place.put("/health/ready", "health", (ctx, visit) -> health.ready());
    place.put("/metrics", "metrics", (ctx, visit) -> metrics.answer(ctx.request()));
  }

  private void keys(Router router) {
    Demand admin = Demand.ofEverything(Role.ADMIN);
    serve(router.get("/keys"), "keys", admin, (ctx, visit) -> keys.list(ctx.request()));
    serve(
        router.post("/keys"),
        "keys",
        admin,
        (ctx, visit) -> keys.create(ctx.request(), bytes(ctx), Gate.caller(ctx), clock.instant()));
    serve(router.get("/keys/:key"), "key", admin, (ctx, visit) -> keys.get(ctx.pathParam("key")));
    serve(
        router.delete("/keys/:key"),
        "key",
        admin,
        (ctx, visit) ->
            keys.revoke(ctx.request(), ctx.pathParam("key"), Gate.caller(ctx), clock.instant()));
  }

  /** Every route behind the gate is made here, so that none is without a demand. */
  private void serve(Route route, String resource, Demand demand, Work work) {
    route.handler(
        ctx ->
            answer(
                ctx,
                resource,
                visit -> {
                  Gate.check(
                      Gate.caller(ctx),
                      demand,
                      () -> HttpRefusal.notFound(Excerpt.of(ctx.request().path())));
                  return work.on(ctx, visit);
                }));
  }

  private Future<Answer> preview(RoutingContext ctx) {
    return Future.succeededFuture(
        preview.answer(ctx.request(), Buffer.buffer(bytes(ctx)), clock.instant()));
  }

  private static byte[] bytes(RoutingContext ctx) {
    return body(ctx).map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  private static Optional<Buffer> body(RoutingContext ctx) {
    return Optional.ofNullable(ctx.body().buffer());
  }

  private void answer(RoutingContext ctx, String resource, Function<Visit, Future<Answer>> work) {
    Visit visit = new Visit(observer, resource);
    Attempt.of(() -> work.apply(visit))
        .otherwise(failure -> ErrorMapping.answer(failure, ctx.request()))
        .onSuccess(
            answer -> {
              answer.send(ctx.request());
              visit.ended(ctx.request(), answer);
            });
  }

  private void sendRefusal(HttpServerRequest request, Answer answer) {
    Visit visit = new Visit(observer, "refused");
    answer.send(request);
    visit.ended(request, answer);
  }

  /** What failed before the routes: a body that is too large or broken, a path that is no path. */
  private void fail(RoutingContext ctx) {
    sendRefusal(ctx.request(), ErrorMapping.answer(cause(ctx), ctx.request()));
  }

  private Throwable cause(RoutingContext ctx) {
    if (ctx.statusCode() == TOO_LARGE) {
      return HttpRefusal.tooLarge(
          "The body is larger than the " + settings.maxBody() + " bytes allowed.");
    }
    return ctx.failure() instanceof Error
        ? ctx.failure()
        : HttpRefusal.unreadable(BAD_REQUEST, "BadRequest", "The request cannot be read.");
  }
}
