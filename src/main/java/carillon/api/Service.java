package carillon.api;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
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
  private final MetricsRoute metrics;
  private final ApiObserver observer;
  private final PreviewRoute preview;
  private final InstantSource clock;
  private final ApiSettings settings;
  private final Product product;
  private final Description description = new Description();

  Service(
      Resources resources,
      HealthRoutes health,
      NodeRoutes nodes,
      MetricsRoute metrics,
      ApiObserver observer,
      InstantSource clock,
      ApiSettings settings) {
    this.resources = resources;
    this.health = health;
    this.nodes = nodes;
    this.metrics = metrics;
    this.observer = observer;
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
        Admission.check(request);
        router.handle(request);
      } catch (HttpRefusal refusal) {
        sendRefusal(request, refusal.answer());
      }
    };
  }

  /** For the test that compares the routes with their description. */
  Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(BodyHandler.create(false).setBodyLimit(settings.maxBody()));
    router
        .get("/")
        .handler(ctx -> answer(ctx, "product", visit -> Future.succeededFuture(product.answer())));
    router
        .get("/openapi.yaml")
        .handler(
            ctx -> answer(ctx, "openapi", visit -> Future.succeededFuture(description.answer())));
    router
        .get("/health/live")
        .handler(
            ctx -> answer(ctx, "health", visit -> Future.succeededFuture(HealthRoutes.live())));
    router.get("/health").handler(ctx -> answer(ctx, "health", visit -> health.ready()));
    router.get("/health/ready").handler(ctx -> answer(ctx, "health", visit -> health.ready()));
    router
        .get("/metrics")
        .handler(ctx -> answer(ctx, "metrics", visit -> metrics.answer(ctx.request())));
    router
        .route("/nodes")
        .handler(
            ctx -> answer(ctx, "nodes", visit -> nodes.nodes(ctx.request(), clock.instant())));
    if (settings.servesApi()) {
      router.route("/preview").handler(this::preview);
      router
          .route()
          .handler(
              ctx ->
                  answer(
                      ctx, "unknown", visit -> resources.answer(ctx.request(), body(ctx), visit)));
    } else {
      router.route().handler(ctx -> sendRefusal(ctx.request(), HttpRefusal.misdirected().answer()));
    }
    router.route().failureHandler(this::fail);
    router.errorHandler(BAD_REQUEST, this::fail);
    return router;
  }

  private void preview(RoutingContext ctx) {
    answer(
        ctx,
        "preview",
        visit ->
            Future.succeededFuture(
                preview.answer(
                    ctx.request(), body(ctx).orElseGet(Buffer::buffer), clock.instant())));
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
