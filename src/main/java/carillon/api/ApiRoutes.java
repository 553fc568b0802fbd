package carillon.api;

import static carillon.api.http.Route.ANY_PARAMETER;
import static carillon.api.http.RoutePermission.ANY_ROLE;
import static carillon.api.http.RoutePermission.GLOBAL_ADMIN;
import static carillon.api.http.RoutePermission.GLOBAL_READER;
import static carillon.api.http.RoutePermission.KNOWN;
import static carillon.api.http.RoutePermission.OPEN;

import carillon.access.Scope;
import carillon.api.admin.AuditRoutes;
import carillon.api.admin.ClockRoutes;
import carillon.api.admin.DescriptionRoutes;
import carillon.api.admin.HealthChecks;
import carillon.api.admin.HealthRoutes;
import carillon.api.admin.KeyRoutes;
import carillon.api.admin.MetricsRoute;
import carillon.api.admin.NodeRoutes;
import carillon.api.console.ConsoleRoutes;
import carillon.api.console.DestinationRoute;
import carillon.api.console.DestinationService;
import carillon.api.console.FailureCauseRoute;
import carillon.api.console.LoadForecast;
import carillon.api.console.LoadForecastRoutes;
import carillon.api.console.OverviewRoute;
import carillon.api.console.OverviewService;
import carillon.api.console.SessionRoutes;
import carillon.api.console.SignInRoutes;
import carillon.api.dialect.DialectContext;
import carillon.api.dialect.DialectModule;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.CallerTurns;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.QueryParameters;
import carillon.api.http.Route.BodyFormat;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.api.jobs.DueRoute;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.ResourceRoutes;
import carillon.auth.RequestAuthenticator;
import carillon.bus.TimeControl;
import carillon.job.action.RetryPolicy;
import carillon.json.view.Explanation;
import carillon.json.view.Preview;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.Stores;
import carillon.store.resource.CalendarStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Table of all routes of the API. It adds the routes outside the dialects itself; each dialect adds
 * its own next to its handlers.
 */
final class ApiRoutes {
  private final RouteTable table = new RouteTable();
  private final CallerTurns turns = CallerTurns.ofLists();
  private final CallerTurns searches = CallerTurns.ofSearches();

  ApiRoutes() {
    table.below(DialectEnvelope.NONE, "", KNOWN, RouteTable::nothing);
  }

  RouteTable table() {
    return table;
  }

  /**
   * Adds health, metrics, nodes, the overview, destinations and the causes of failures.
   *
   * @param isOpen whether health and metrics need no credential
   */
  ApiRoutes monitoring(
      Stores stores,
      HealthChecks healthChecks,
      MetricsRoute metrics,
      boolean isOpen,
      InstantSource clock) {
    HealthRoutes health = new HealthRoutes(healthChecks, stores);
    RoutePermission monitor = isOpen ? OPEN : ANY_ROLE;
    table.fixed("GET", "/health/live", "health", OPEN, health::live, ANY_PARAMETER);
    table.fixed("GET", "/health", "health", monitor, health::ready, ANY_PARAMETER);
    table.fixed("GET", "/health/ready", "health", monitor, health::ready, ANY_PARAMETER);
    table.fixed(
        "GET",
        "/metrics",
        "metrics",
        monitor,
        CallerTurns.ofScrapes().inTurn(metrics::metrics),
        ANY_PARAMETER);
    NodeRoutes nodes = new NodeRoutes(stores.node().nodes());
    table.fixed("/nodes", "nodes", GLOBAL_READER).on("GET", nodes::list, QueryParameters.ofPage());
    OverviewRoute overview = new OverviewRoute(new OverviewService(stores, healthChecks, clock));
    table.fixed(
        "GET", "/overview", "overview", ANY_ROLE, turns.inTurn(overview::overview), "scope");
    DestinationRoute destinations = new DestinationRoute(new DestinationService(stores, clock));
    table
        .fixed("/destinations", "destinations", GLOBAL_READER)
        .on("GET", turns.inTurn(destinations::list));
    FailureCauseRoute causes = new FailureCauseRoute(stores);
    table
        .fixed("/executions/causes", "execution_causes", KNOWN)
        .on(
            "GET",
            turns.inTurn(causes::list),
            "collection",
            "job",
            "destination",
            "code",
            "since",
            "until",
            "message",
            "cause",
            "jobs",
            "$top");
    return this;
  }

  /**
   * Adds the routes of upcoming work, of all jobs and of one.
   *
   * @param retry the retry policy of jobs that give none
   */
  ApiRoutes upcoming(
      Stores stores, JobOperations jobs, RetryPolicy.Repeating retry, DialectEnvelope dialect) {
    DueRoute due = new DueRoute(stores, jobs, retry);
    table.fixed("/due", "due", ANY_ROLE).on("GET", turns.inTurn(due::due), "$top");
    ResourceRoutes.addWaiting(table, dialect, turns.inTurn(due::waiting));
    return this;
  }

  /** Adds the forecast of the load of all jobs. */
  ApiRoutes forecast(Stores stores, Vertx vertx, InstantSource clock) {
    WorkerExecutor forecaster = vertx.createSharedWorkerExecutor("forecasts", 1);
    CallerTurns own = CallerTurns.ofForecasts();
    LoadForecastRoutes load = new LoadForecastRoutes(new LoadForecast(stores, forecaster, clock));
    table.fixed("/forecast", "forecast", ANY_ROLE).on("GET", own.inTurn(load::load));
    table
        .fixed("/forecast/jobs", "forecast", ANY_ROLE)
        .on("GET", own.inTurn(load::jobs), "from", "until");
    return this;
  }

  /**
   * Adds the description of the API, the preview and the explanation of schedules, and the time
   * zones.
   */
  ApiRoutes description(ApiOptions options, CalendarStore calendars, Vertx vertx) {
    DescriptionRoutes description = new DescriptionRoutes(options.version(), vertx);
    table.fixed("GET", "/", "product", ANY_ROLE, description::product);
    table.fixed("GET", "/openapi.yaml", "openapi", ANY_ROLE, description::openApi);
    table.fixed("GET", "/openapi.json", "openapi", ANY_ROLE, description::openApiJson);
    WorkerExecutor explainer = vertx.createSharedWorkerExecutor("explanations", 1);
    CallerTurns own = CallerTurns.ofExplanations();
    Preview preview = new Preview(options.limits());
    table
        .fixed("/preview", "preview", ANY_ROLE)
        .taking(BodyFormat.SMALL_JSON)
        .on(
            "POST",
            own.inTurn(request -> explained(request, calendars, explainer, preview::answer)));
    Explanation explanation = new Explanation(options.limits());
    table
        .fixed("/explain", "explain", ANY_ROLE)
        .taking(BodyFormat.SMALL_JSON)
        .on(
            "POST",
            own.inTurn(request -> explained(request, calendars, explainer, explanation::answer)));
    table.fixed("/timezones", "timezones", ANY_ROLE).on("GET", description::timeZones);
    return this;
  }

  /** Adds keys, the audit log, sessions, and the stream of executions. */
  ApiRoutes administration(Stores stores, RequestAuthenticator login, ConsoleRoutes console) {
    KeyRoutes keys =
        new KeyRoutes(
            stores.operation().apiKeys(),
            stores.collection().collections(),
            stores.job().auditLog());
    table.fixed("GET", "/keys", "keys", GLOBAL_ADMIN, keys::list, QueryParameters.ofPage());
    table.fixed("POST", "/keys", "keys", GLOBAL_ADMIN, keys::create);
    table.fixed("GET", "/keys/{key}", "key", GLOBAL_ADMIN, keys::get);
    table.fixed("DELETE", "/keys/{key}", "key", GLOBAL_ADMIN, keys::revoke);
    AuditRoutes audit = new AuditRoutes(stores.job().auditLog());
    table.fixed(
        "GET",
        "/audit",
        "audit",
        KNOWN,
        turns.inTurn(audit::list),
        QueryParameters.ofFilteredPage());
    SessionRoutes sessions = new SessionRoutes(login, stores.job().auditLog());
    table.fixed("GET", "/session", "session", ANY_ROLE, sessions::show);
    table.fixed("POST", "/session", "session", ANY_ROLE, BodyFormat.NONE, sessions::signIn);
    table.fixed("DELETE", "/session", "session", ANY_ROLE, sessions::signOut);
    SignInRoutes signIn = new SignInRoutes(login, stores.job().auditLog());
    table.fixed("GET", "/console/sign-in", "sign_in", OPEN, signIn::ways);
    table.fixed("POST", "/console/sign-in/request", "sign_in", OPEN, signIn::begin);
    table.fixed("POST", "/console/sign-in/response", "sign_in", OPEN, signIn::finish);
    table.fixed(
        "GET",
        "/console/executions",
        "live_executions",
        ANY_ROLE,
        console::watch,
        "collection",
        "job",
        "status");
    return this;
  }

  /** Adds the routes of a virtual clock, if there is one. */
  ApiRoutes virtualTime(Optional<TimeControl> time) {
    time.map(ClockRoutes::new)
        .ifPresent(
            clock -> {
              table.fixed("/clock", "clock", ANY_ROLE).on("GET", clock::show);
              table.fixed("/clock/advance", "clock", GLOBAL_ADMIN).on("POST", clock::advance);
            });
    return this;
  }

  /** Adds collections, jobs, flows, pauses and calendars in the native dialect. */
  ApiRoutes resources(ResourceRoutes resources, DialectEnvelope dialect) {
    resources.addNative(table, dialect);
    resources.addFlows(table, dialect);
    resources.addPauses(table, dialect);
    resources.addExecutions(table);
    resources.addCalendars(table, dialect);
    return this;
  }

  /** Adds collections and jobs in other dialects, and returns their envelopes. */
  List<DialectEnvelope> dialects(List<DialectModule> dialects, DialectContext context) {
    return dialects.stream().map(dialect -> dialect.addTo(table, context)).toList();
  }

  /** Returns the turns of callers at lists. */
  CallerTurns turns() {
    return turns;
  }

  /** Returns the turns of callers at searches. */
  CallerTurns searches() {
    return searches;
  }

  /** View of the schedule of a document. */
  private interface ScheduleView {
    byte[] answer(byte[] document, Instant now, CalendarDirectory calendars);
  }

  /**
   * Answers by the calendars that the caller may see. Not on an event loop: the first answers of a
   * node take hundreds of milliseconds.
   */
  private static Future<ApiResponse> explained(
      ApiRequest request, CalendarStore calendars, WorkerExecutor explainer, ScheduleView view) {
    byte[] document = request.body();
    Instant now = request.now();
    return calendars
        .current()
        .map(
            all ->
                all.within(
                    (subscription, group) ->
                        request.caller().sees(Scope.group(subscription, group))))
        .compose(seen -> explainer.executeBlocking(() -> view.answer(document, now, seen), false))
        .map(answer -> ApiResponse.json(200, answer));
  }
}
