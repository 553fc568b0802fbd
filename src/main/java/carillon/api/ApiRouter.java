package carillon.api;

import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.api.admin.AuditRoutes;
import carillon.api.admin.HealthRoutes;
import carillon.api.admin.KeyRoutes;
import carillon.api.admin.MetricsRoute;
import carillon.api.admin.NodeRoutes;
import carillon.api.admin.OpenApiRoute;
import carillon.api.admin.RootRoute;
import carillon.api.console.ConsoleRoutes;
import carillon.api.console.ConsoleService;
import carillon.api.console.OverviewRoute;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.ApiObserver;
import carillon.api.http.ApiResponse;
import carillon.api.http.ApiSettings;
import carillon.api.http.AuthenticationHandler;
import carillon.api.http.BodyReader;
import carillon.api.http.HttpException;
import carillon.api.http.LoadShedder;
import carillon.api.http.RequestPipeline;
import carillon.api.jobs.DueRoute;
import carillon.api.jobs.PreviewRoute;
import carillon.auth.RequestAuthenticator;
import carillon.job.Quoted;
import carillon.store.audit.AuditLog;
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
final class ApiRouter {
  private static final String METRICS = "metrics";

  private final ResourceRouter resources;
  private final HealthRoutes health;
  private final NodeRoutes nodes;
  private final OverviewRoute overview;
  private final DueRoute due;
  private final MetricsRoute metrics;
  private final KeyRoutes keys;
  private final AuditRoutes audit;
  private final RequestAuthenticator login;
  private final AdmissionLimits admission;
  private final LoadShedder overload;
  private final PreviewRoute preview;
  private final ConsoleService console;
  private final RequestPipeline serving;
  private final InstantSource clock;
  private final ApiSettings settings;
  private final RootRoute product;
  private final OpenApiRoute description = new OpenApiRoute();

  ApiRouter(
      ResourceRouter resources,
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
      RequestAuthenticator login,
      AdmissionLimits admission,
      LoadShedder overload,
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
    this.serving = new RequestPipeline(observer, settings.maxBody());
    this.console = new ConsoleService(console, login, log, clock, serving);
    this.admission = admission;
    this.overload = overload;
    this.preview = new PreviewRoute(settings.limits());
    this.clock = clock;
    this.settings = settings;
    this.product = new RootRoute(settings.version());
  }

  /** What a server is to call with every request. */
  Handler<HttpServerRequest> handler(Vertx vertx) {
    Router router = router(vertx);
    return request -> {
      try {
        RequestGuards.check(request, admission.limits().names());
        if (admitted(request)) {
          router.handle(request);
        }
      } catch (HttpException refusal) {
        serving.sendRefusal(request, refusal.answer());
      }
    };
  }

  /** What is not is answered as the dialect of the path has it. */
  private boolean admitted(HttpServerRequest request) {
    boolean isRead = RequestGuards.isRead(request);
    try {
      if (!RequestGuards.isMonitoring(request)) {
        overload.check(isRead);
      }
      if (!isRead && !admission.limits().jobsMayWrite()) {
        RequestGuards.checkLoop(request);
      }
      return true;
    } catch (HttpException refusal) {
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
          HttpException.of(
              400,
              "BadRequest",
              "The path '"
                  + Quoted.of(ctx.request().path())
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
                    ctx, "health", telemetry -> Future.succeededFuture(HealthRoutes.live())));
    if (login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) ->
              router
                  .get(path)
                  .handler(
                      ctx -> serving.answer(ctx, resource, telemetry -> work.on(ctx, telemetry))));
    }
    router.route().handler(new AuthenticationHandler(login, admission, clock, this::refuse));
    router.route().handler(new BodyReader(settings.maxBody(), admission, this::refuse));
    if (!login.isMonitoringOpen()) {
      monitoring(
          (path, resource, work) ->
              serving.serve(router.get(path), resource, demanded(resource), work));
    }
    serving.serve(
        router.get("/"),
        "product",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) -> Future.succeededFuture(product.answer()));
    serving.serve(
        router.get("/openapi.yaml"),
        "openapi",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) -> Future.succeededFuture(description.answer()));
    serving.serve(
        router.route("/nodes"),
        "nodes",
        RequiredPermission.global(Role.READER),
        (ctx, telemetry) -> nodes.nodes(ctx.request(), clock.instant()));
    if (settings.servesApi()) {
      console.ask(router);
      work(router);
    } else {
      serving.serve(
          router.route(),
          "refused",
          RequiredPermission.AUTHENTICATED,
          (ctx, telemetry) -> Future.failedFuture(HttpException.misdirected()));
    }
    router.route().failureHandler(serving::fail);
    router.errorHandler(RequestPipeline.BAD_REQUEST, serving::fail);
    return router;
  }

  /** What only a node with the role api answers. */
  private void work(Router router) {
    serving.serve(
        router.get("/overview"),
        "overview",
        RequiredPermission.global(Role.READER),
        (ctx, telemetry) -> overview.answer(ctx.request(), clock.instant()));
    serving.serve(
        router.route("/preview"),
        "preview",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) -> preview(ctx));
    serving.serve(
        router.route("/due"),
        "due",
        RequiredPermission.global(Role.READER),
        (ctx, telemetry) -> due.due(ctx.request()));
    keys(router);
    // What it demands depends on what it asks for.
    serving.serve(
        router.get("/audit"),
        "audit",
        RequiredPermission.AUTHENTICATED,
        (ctx, telemetry) -> audit.audit(ctx.request(), AuthenticationHandler.caller(ctx)));
    // What these demand depends on the resource.
    serving.serve(
        router.route(),
        "unknown",
        RequiredPermission.AUTHENTICATED,
        (ctx, telemetry) ->
            resources.answer(
                ctx.request(),
                RequestPipeline.body(ctx),
                AuthenticationHandler.caller(ctx),
                telemetry));
  }

  /** Where a route is put: before the gate or behind it. */
  private interface Place {
    void put(String path, String resource, RequestPipeline.Work work);
  }

  /** Metrics name the destinations of everybody. */
  private static RequiredPermission demanded(String resource) {
    return resource.equals(METRICS)
        ? RequiredPermission.global(Role.READER)
        : RequiredPermission.ANY_ROLE;
  }

  /** What a load balancer or a monitor asks for. */
  private void monitoring(Place place) {
    place.put("/health", "health", (ctx, telemetry) -> health.ready());
    place.put("/health/ready", "health", (ctx, telemetry) -> health.ready());
    place.put("/metrics", METRICS, (ctx, telemetry) -> metrics.answer(ctx.request()));
  }

  private void keys(Router router) {
    RequiredPermission admin = RequiredPermission.global(Role.ADMIN);
    serving.serve(router.get("/keys"), "keys", admin, (ctx, telemetry) -> keys.list(ctx.request()));
    serving.serve(
        router.post("/keys"),
        "keys",
        admin,
        (ctx, telemetry) ->
            keys.create(
                ctx.request(),
                RequestPipeline.bytes(ctx),
                AuthenticationHandler.caller(ctx),
                clock.instant()));
    serving.serve(
        router.get("/keys/:key"), "key", admin, (ctx, telemetry) -> keys.get(ctx.pathParam("key")));
    serving.serve(
        router.delete("/keys/:key"),
        "key",
        admin,
        (ctx, telemetry) ->
            keys.revoke(
                ctx.request(),
                ctx.pathParam("key"),
                AuthenticationHandler.caller(ctx),
                clock.instant()));
  }

  private Future<ApiResponse> preview(RoutingContext ctx) {
    return Future.succeededFuture(
        preview.answer(ctx.request(), Buffer.buffer(RequestPipeline.bytes(ctx)), clock.instant()));
  }
}
