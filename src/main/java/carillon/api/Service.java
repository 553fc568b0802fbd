package carillon.api;

import carillon.access.Demand;
import carillon.access.Role;
import carillon.job.Excerpt;
import carillon.login.Login;
import carillon.store.AuditLog;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Map;

/** Everything that is served: the resources, what stands beside them, and the order of checks. */
final class Service {
  private static final String METRICS = "metrics";

  private final Resources resources;
  private final HealthRoutes health;
  private final NodeRoutes nodes;
  private final OverviewRoute overview;
  private final DueRoute due;
  private final MetricsRoute metrics;
  private final KeyRoutes keys;
  private final AuditRoutes audit;
  private final Login login;
  private final Doors doors;
  private final Overload overload;
  private final PreviewRoute preview;
  private final ConsoleService console;
  private final Serving serving;
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
      AuditLog log,
      Login login,
      Doors doors,
      Overload overload,
      InstantSource clock,
      ApiSettings settings) {
    this.resources = resources;
    this.health = health;
    this.nodes = nodes;
    this.overview = overview;
    this.due = due;
    this.metrics = metrics;
    this.keys = keys;
    this.audit = audit;
    this.login = login;
    this.serving = new Serving(observer, settings.maxBody());
    this.console = new ConsoleService(console, login, log, clock, serving);
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
        serving.sendRefusal(request, refusal.answer());
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
      refuse(request, refusal);
      return false;
    }
  }

  /** A proxy in front that goes by paths would take another for something else than it is. */
  private void checkPath(RoutingContext ctx) {
    if (ctx.normalizedPath().equals(ctx.request().path())) {
      ctx.next();
    } else {
      refuse(
          ctx.request(),
          HttpRefusal.of(
              400,
              "BadRequest",
              "The path '"
                  + Excerpt.of(ctx.request().path())
                  + "' must have no empty segments, no '.' and '..', and nothing percent-encoded that"
                  + " need not be.",
              Map.of()));
    }
  }

  /** In the dialect of the path. */
  private void refuse(HttpServerRequest request, Throwable failure) {
    serving.sendRefusal(request, resources.refusal(failure, request));
  }

  /** For the test that compares the routes with their description. */
  Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(this::checkPath);
    if (settings.servesApi()) {
      console.page(router);
    }
    router
        .get("/health/live")
        .handler(
            ctx ->
                serving.answer(
                    ctx, "health", visit -> Future.succeededFuture(HealthRoutes.live())));
    if (login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) ->
              router
                  .get(path)
                  .handler(ctx -> serving.answer(ctx, resource, visit -> work.on(ctx, visit))));
    }
    router.route().handler(new Gate(login, doors, clock, this::refuse));
    router.route().handler(new BodyReader(settings.maxBody(), doors, this::refuse));
    if (!login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) ->
              serving.serve(router.get(path), resource, demanded(resource), work));
    }
    serving.serve(
        router.get("/"),
        "product",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(product.answer()));
    serving.serve(
        router.get("/openapi.yaml"),
        "openapi",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(description.answer()));
    serving.serve(
        router.route("/nodes"),
        "nodes",
        Demand.ofEverything(Role.READER),
        (ctx, visit) -> nodes.nodes(ctx.request(), clock.instant()));
    if (settings.servesApi()) {
      console.ask(router);
      work(router);
    } else {
      serving.serve(
          router.route(),
          "refused",
          Demand.KNOWN,
          (ctx, visit) -> Future.failedFuture(HttpRefusal.misdirected()));
    }
    router.route().failureHandler(serving::fail);
    router.errorHandler(Serving.BAD_REQUEST, serving::fail);
    return router;
  }

  /** What only a node with the role api answers. */
  private void work(Router router) {
    serving.serve(
        router.get("/overview"),
        "overview",
        Demand.ofEverything(Role.READER),
        (ctx, visit) -> overview.answer(ctx.request(), clock.instant()));
    serving.serve(
        router.route("/preview"), "preview", Demand.ANY_ROLE, (ctx, visit) -> preview(ctx));
    serving.serve(
        router.route("/due"),
        "due",
        Demand.ofEverything(Role.READER),
        (ctx, visit) -> due.due(ctx.request()));
    keys(router);
    // What it demands depends on what it asks for.
    serving.serve(
        router.get("/audit"),
        "audit",
        Demand.KNOWN,
        (ctx, visit) -> audit.audit(ctx.request(), Gate.caller(ctx)));
    // What these demand depends on the resource.
    serving.serve(
        router.route(),
        "unknown",
        Demand.KNOWN,
        (ctx, visit) ->
            resources.answer(ctx.request(), Serving.body(ctx), Gate.caller(ctx), visit));
  }

  /** Where a route is put: before the gate or behind it. */
  private interface Place {
    void put(String path, String resource, Serving.Work work);
  }

  /** Metrics name the destinations of everybody. */
  private static Demand demanded(String resource) {
    return resource.equals(METRICS) ? Demand.ofEverything(Role.READER) : Demand.ANY_ROLE;
  }

  /** What a load balancer or a monitor asks for. */
  private void monitoring(Place place) {
    place.put("/health", "health", (ctx, visit) -> health.ready());
    place.put("/health/ready", "health", (ctx, visit) -> health.ready());
    place.put("/metrics", METRICS, (ctx, visit) -> metrics.answer(ctx.request()));
  }

  private void keys(Router router) {
    Demand admin = Demand.ofEverything(Role.ADMIN);
    serving.serve(router.get("/keys"), "keys", admin, (ctx, visit) -> keys.list(ctx.request()));
    serving.serve(
        router.post("/keys"),
        "keys",
        admin,
        (ctx, visit) ->
            keys.create(ctx.request(), Serving.bytes(ctx), Gate.caller(ctx), clock.instant()));
    serving.serve(
        router.get("/keys/:key"), "key", admin, (ctx, visit) -> keys.get(ctx.pathParam("key")));
    serving.serve(
        router.delete("/keys/:key"),
        "key",
        admin,
        (ctx, visit) ->
            keys.revoke(ctx.request(), ctx.pathParam("key"), Gate.caller(ctx), clock.instant()));
  }

  private Future<Answer> preview(RoutingContext ctx) {
    return Future.succeededFuture(
        preview.answer(ctx.request(), Buffer.buffer(Serving.bytes(ctx)), clock.instant()));
  }
}
