package carillon.api.http;

import carillon.access.RequiredPermission;
import carillon.job.Quoted;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;

/** How requests are answered: what each may, what becomes of a failure, and who is told of it. */
public final class RequestPipeline {
  private static final int TOO_LARGE = 413;
  public static final int BAD_REQUEST = 400;

  private final ApiObserver observer;
  private final int maxBody;

  /**
   * @param maxBody largest body, in bytes
   */
  public RequestPipeline(ApiObserver observer, int maxBody) {
    this.observer = observer;
    this.maxBody = maxBody;
  }

  /** How a request is answered. */
  public interface Work {
    Future<ApiResponse> on(RoutingContext ctx, RequestTelemetry telemetry);
  }

  /** Every route behind the gate is made here, so that none is without a demand. */
  public void serve(Route route, String resource, RequiredPermission permission, Work work) {
    route.handler(
        ctx ->
            answer(
                ctx,
                resource,
                telemetry -> {
                  AuthenticationHandler.check(
                      AuthenticationHandler.caller(ctx),
                      permission,
                      () -> HttpException.notFound(Quoted.of(ctx.request().path())));
                  return work.on(ctx, telemetry);
                }));
  }

  /** Answers without asking who it is that asks. */
  public void answer(
      RoutingContext ctx, String resource, Function<RequestTelemetry, Future<ApiResponse>> work) {
    RequestTelemetry telemetry = new RequestTelemetry(observer, resource);
    Attempt.of(() -> work.apply(telemetry))
        .otherwise(failure -> ErrorMapping.answer(failure, ctx.request()))
        .onSuccess(
            response -> {
              response.send(ctx.request());
              telemetry.ended(ctx.request(), response);
            });
  }

  public void sendRefusal(HttpServerRequest request, ApiResponse response) {
    RequestTelemetry telemetry = new RequestTelemetry(observer, "refused");
    response.send(request);
    telemetry.ended(request, response);
  }

  /** What failed before the routes: a body that is too large or broken, a path that is no path. */
  public void fail(RoutingContext ctx) {
    sendRefusal(ctx.request(), ErrorMapping.answer(cause(ctx), ctx.request()));
  }

  private Throwable cause(RoutingContext ctx) {
    if (ctx.statusCode() == TOO_LARGE) {
      return HttpException.tooLarge("The body is larger than the " + maxBody + " bytes allowed.");
    }
    return ctx.failure() instanceof Error
        ? ctx.failure()
        : HttpException.unreadable(BAD_REQUEST, "BadRequest", "The request cannot be read.");
  }

  public static byte[] bytes(RoutingContext ctx) {
    return body(ctx).map(Buffer::getBytes).orElseGet(() -> new byte[0]);
  }

  public static Optional<Buffer> body(RoutingContext ctx) {
    return BodyReader.body(ctx);
  }
}
