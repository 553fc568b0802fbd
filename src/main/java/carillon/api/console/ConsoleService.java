package carillon.api.console;

import carillon.access.Caller;
import carillon.access.RequiredPermission;
import carillon.access.Role;
import carillon.api.http.AuthenticationHandler;
import carillon.api.http.ErrorMapping;
import carillon.api.http.HttpException;
import carillon.api.http.RequestPipeline;
import carillon.auth.RequestAuthenticator;
import carillon.job.JobException;
import carillon.job.Quoted;
import carillon.store.audit.AuditLog;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;

/** The routes of the console: its files, the session of who looks at it, and what it watches. */
public final class ConsoleService {
  private final ConsoleRoutes console;
  private final SessionRoutes sessions;
  private final RequestAuthenticator login;
  private final InstantSource clock;
  private final RequestPipeline serving;

  public ConsoleService(
      ConsoleRoutes console,
      RequestAuthenticator login,
      AuditLog audit,
      InstantSource clock,
      RequestPipeline serving) {
    this.console = console;
    this.sessions = new SessionRoutes(login, audit);
    this.clock = clock;
    this.login = login;
    this.serving = serving;
  }

  /** What a browser loads before it can show a field for a key: nobody's data. */
  public void page(Router router) {
    router
        .get("/")
        .handler(
            ctx -> {
              if (ConsoleRoutes.isWanted(ctx.request())) {
                serving.answer(ctx, "console", telemetry -> console.page(ctx.request()));
              } else {
                ctx.next();
              }
            });
    router
        .get("/console/:file")
        .handler(
            ctx -> {
              if (ConsoleRoutes.isFile(ctx.pathParam("file"))) {
                serving.answer(
                    ctx,
                    "console",
                    telemetry -> console.file(ctx.request(), ctx.pathParam("file")));
              } else {
                ctx.next();
              }
            });
  }

  /** What it asks for itself, once it is there. */
  public void ask(Router router) {
    router.get("/console/executions").handler(this::watch);
    serving.serve(
        router.get("/session"),
        "session",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) ->
            Future.succeededFuture(SessionRoutes.show(AuthenticationHandler.caller(ctx))));
    serving.serve(
        router.post("/session"),
        "session",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) ->
            sessions.signIn(ctx.request(), AuthenticationHandler.caller(ctx), clock.instant()));
    serving.serve(
        router.delete("/session"),
        "session",
        RequiredPermission.ANY_ROLE,
        (ctx, telemetry) -> sessions.signOut(ctx.request()));
  }

  /** A stream is no answer that could be returned: it ends with the client. */
  private void watch(RoutingContext ctx) {
    try {
      mayWatch(ctx, AuthenticationHandler.caller(ctx));
      console.watch(
          ctx.request(),
          AuthenticationHandler.name(AuthenticationHandler.caller(ctx), ctx.request()),
          () -> login.identify(ctx.request()).map(caller -> mayWatch(ctx, caller)));
    } catch (JobException | HttpException refusal) {
      ErrorMapping.answer(refusal, ctx.request()).send(ctx.request());
    }
  }

  private static Void mayWatch(RoutingContext ctx, Caller caller) {
    AuthenticationHandler.check(
        caller,
        RequiredPermission.global(Role.READER),
        () -> HttpException.notFound(Quoted.of(ctx.request().path())));
    return null;
  }
}
