package carillon.api;

import carillon.access.Demand;
import carillon.job.Excerpt;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;

/** How requests are answered: what each may, what becomes of a failure, and who is told of it. */
final class Serving {
  private static final int TOO_LARGE = 413;
  static final int BAD_REQUEST = 400;

  private final ApiObserver observer;
  private final int maxBody;

  /**
   * @param maxBody largest body, in bytes
   */
  Serving(ApiObserver observer, int maxBody) {
    this.observer = observer;
    this.maxBody = maxBody;
  }

  /** How a request is answered. */
  interface Work {
    Future<Answer> on(RoutingContext ctx, Visit visit);
  }

  /** Every route behind the gate is made here, so that none is without a demand. */
  void serve(Route route, String resource, Demand demand, Work work) {
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

  /** Answers without asking who it is that asks. */
  void answer(RoutingContext ctx, String resource, Function<Visit, Future<Answer>> work) {
    Visit visit = new Visit(observer, resource);
    Attempt.of(() -> work.apply(visit))
        .otherwise(failure -> ErrorMapping.answer(failure, ctx.request()))
        .onSuccess(
            answer -> {
              answer.send(ctx.request());
              visit.ended(ctx.request(), answer);
            });
  }

  void sendRefusal(HttpServerRequest request, Answer answer) {
    Visit visit = new Visit(observer, "refused");
    answer.send(request);
    visit.ended(request, answer);
  }

  /** What failed before the routes: a body that is too large or broken, a path that is no path. */
  void fail(RoutingContext ctx) {
    sendRefusal(ctx.request(), ErrorMapping.answer(cause(ctx), ctx.request()));
  }

  private Throwable cause(RoutingContext ctx) {
    if (ctx.statusCode() == TOO_LARGE) {
      return HttpRefusal.tooLarge("The body is larger than the " + maxBody + " bytes allowed.");
    }
    return ctx.failure() instanceof Error
        ? ctx.failure()
        : HttpRefusal.unreadable(BAD_REQUEST, "BadRequest", "The request cannot be read.");
  }

  static byte[] bytes(RoutingContext ctx) {
    return body(ctx).map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  static Optional<Buffer> body(RoutingContext ctx) {
    return BodyReader.body(ctx);
  }
}
