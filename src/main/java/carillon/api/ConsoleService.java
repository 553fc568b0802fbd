package carillon.api;

import carillon.access.Demand;
import carillon.access.Identity;
import carillon.access.Role;
import carillon.job.Excerpt;
import carillon.job.JobException;
import carillon.login.Login;
import carillon.store.AuditLog;
import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;

/** The routes of the console: its files, the session of who looks at it, and what it watches. */
final class ConsoleService {
  private final ConsoleRoutes console;
  private final SessionRoutes sessions;
  private final Login login;
  private final InstantSource clock;
  private final Serving serving;

  ConsoleService(
      ConsoleRoutes console, Login login, AuditLog audit, InstantSource clock, Serving serving) {
    this.console = console;
    this.sessions = new SessionRoutes(login, audit);
    this.clock = clock;
    this.login = login;
    this.serving = serving;
  }

  /** What a browser loads before it can show a field for a key: nobody's data. */
  void page(Router router) {
    router
        .get("/")
        .handler(
            ctx -> {
              if (ConsoleRoutes.isWanted(ctx.request())) {
                serving.answer(ctx, "console", visit -> console.page(ctx.request()));
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
                    ctx, "console", visit -> console.file(ctx.request(), ctx.pathParam("file")));
              } else {
                ctx.next();
              }
            });
  }

  /** What it asks for itself, once it is there. */
  void ask(Router router) {
    router.get("/console/executions").handler(this::watch);
    serving.serve(
        router.get("/session"),
        "session",
        Demand.ANY_ROLE,
        (ctx, visit) -> Future.succeededFuture(SessionRoutes.show(Gate.caller(ctx))));
    serving.serve(
        router.post("/session"),
        "session",
        Demand.ANY_ROLE,
        (ctx, visit) -> sessions.signIn(ctx.request(), Gate.caller(ctx), clock.instant()));
    serving.serve(
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
          ctx.request(),
          Gate.name(Gate.caller(ctx), ctx.request()),
          () -> login.identify(ctx.request()).map(who -> mayWatch(ctx, who)));
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
}
