package carillon.api.jobs;

import static carillon.api.http.RoutePermission.COLLECTION_OPERATOR;
import static carillon.api.http.RoutePermission.COLLECTION_READER;
import static carillon.api.http.RoutePermission.COLLECTION_WRITER;
import static carillon.api.http.RoutePermission.FLOW_OPERATOR;
import static carillon.api.http.RoutePermission.FLOW_WRITER;
import static carillon.api.http.RoutePermission.GLOBAL_OPERATOR;
import static carillon.api.http.RoutePermission.GLOBAL_READER;
import static carillon.api.http.RoutePermission.GROUP_WRITER;
import static carillon.api.http.RoutePermission.KNOWN;
import static carillon.api.http.RoutePermission.RESOURCE_OPERATOR;
import static carillon.api.http.RoutePermission.RESOURCE_READER;
import static carillon.api.http.RoutePermission.RESOURCE_WRITER;

import carillon.api.http.CallerTurns;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.QueryParameters;
import carillon.api.http.Route;
import carillon.api.http.Route.BodyFormat;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.api.resources.CalendarOperations;
import carillon.api.resources.CalendarRoutes;
import carillon.api.resources.CollectionOperations;
import carillon.api.resources.CollectionRoutes;
import carillon.api.resources.FlowOperations;
import carillon.api.resources.FlowRoutes;
import carillon.store.Stores;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.stream.Stream;

/**
 * Routes of collections, jobs, histories, executions, flows and calendars, in the native dialect.
 * Other dialects add the part that they share.
 */
public final class ResourceRoutes {
  private static final String[] SEARCH = {
    "name", "prefix", "state", "lastOutcome", "recent", "$filter"
  };
  private static final String[] EXECUTIONS = {
    "state", "job", "destination", "code", "since", "until", "$top", "$skiptoken"
  };

  /** Paths of the native dialect: of the default group and of named groups. */
  private static final List<String> COLLECTIONS =
      List.of("/jobcollections", "/groups/{subscription}/{group}/jobcollections");

  private static final String JOBS = "/{collection}/jobs";
  private static final String JOB = JOBS + "/{job}";

  private final CollectionRoutes collections;
  private final JobRoutes jobs;
  private final HistoryRoutes history;
  private final SearchRoute search;
  private final ForecastRoutes forecast;
  private final ExecutionRoutes executions;
  private final FlowRoutes flows;
  private final CalendarRoutes calendars;
  private final PauseRoutes pauses;
  private final CallerTurns turns;

  public ResourceRoutes(
      Stores stores,
      EventBus bus,
      CollectionOperations collections,
      JobOperations operations,
      CallerTurns turns,
      CallerTurns searches) {
    CalendarOperations calendars = new CalendarOperations(stores);
    this.collections = new CollectionRoutes(stores, collections);
    this.jobs = new JobRoutes(operations, collections, stores, turns, searches);
    this.history = new HistoryRoutes(operations, stores.job().jobListing());
    this.search = new SearchRoute(operations, stores, turns, searches);
    this.forecast =
        new ForecastRoutes(
            operations, calendars, new FirstUse(collections), stores.collection().holds());
    this.executions =
        new ExecutionRoutes(
            operations, stores.attempt().attemptLog(), stores.attempt().runningAttempts());
    this.flows = new FlowRoutes(new FlowOperations(stores, bus), stores.resource().flows());
    this.calendars = new CalendarRoutes(calendars, stores.resource().calendars());
    this.pauses = new PauseRoutes(stores);
    this.turns = turns;
  }

  /** Adds the routes of the native dialect, for the default group and for named groups. */
  public void addNative(RouteTable table, DialectEnvelope dialect) {
    table.at(dialect, "/call", "call", COLLECTION_WRITER).on("POST", jobs::call, "in");
    for (String path : COLLECTIONS) {
      table.below(DialectEnvelope.NONE, path, KNOWN, RouteTable::nothing);
      add(table, dialect, path, collections::put);
      addJobs(table, dialect, path + JOBS, jobs::listOrdered, QueryParameters.ofOrderedPage());
      addHistory(
          table,
          dialect,
          path + JOB,
          history::listWithMarks,
          history::getWithMarks,
          HistoryRoutes.MARKS);
      addSearch(table, dialect, path);
      addForecasts(table, dialect, path + JOB);
      addCallsAndRetries(table, dialect, path);
      table
          .at(
              dialect,
              path + "/{collection}/executions",
              "collection_executions",
              COLLECTION_READER)
          .on("GET", turns.inTurn(executions::listOfCollection), EXECUTIONS);
    }
  }

  private void addSearch(RouteTable table, DialectEnvelope dialect, String path) {
    table
        .at(dialect, path + "/{collection}/search", "collection_search", COLLECTION_READER)
        .on("GET", search::search, with(SEARCH, "$orderby", "$top", "$skiptoken"));
    table
        .at(dialect, path.replace("/jobcollections", "/search"), "search", KNOWN)
        .on("GET", search::searchGroup, with(SEARCH, "$top", "$skiptoken"));
  }

  private void addForecasts(RouteTable table, DialectEnvelope dialect, String job) {
    table
        .at(dialect, job + "/occurrences", "job_occurrences", COLLECTION_READER)
        .on("GET", forecast::occurrences, "$top");
    table
        .at(dialect, job + "/validate", "job_validate", COLLECTION_WRITER)
        .on("POST", forecast::validate);
  }

  private void addCallsAndRetries(RouteTable table, DialectEnvelope dialect, String path) {
    table
        .at(dialect, path + "/{collection}/call", "call", COLLECTION_WRITER)
        .on("POST", jobs::call, "in");
    table
        .at(dialect, path + JOB + "/retry", "job_retry", COLLECTION_OPERATOR)
        .taking(BodyFormat.NONE)
        .on("POST", jobs::retry);
    table
        .at(dialect, path + "/{collection}/retry", "collection_retry", COLLECTION_OPERATOR)
        .taking(BodyFormat.NONE)
        .on("POST", jobs::retryAll, "$filter");
  }

  /** Adds the attempts of a job that wait, for the default group and for named groups. */
  public static void addWaiting(RouteTable table, DialectEnvelope dialect, Route.Handler waiting) {
    for (String path : COLLECTIONS) {
      table
          .at(dialect, path + JOB + "/waiting", "job_waiting", COLLECTION_READER)
          .on("GET", waiting);
    }
  }

  /** Adds the list of executions of all jobs. */
  public void addExecutions(RouteTable table) {
    table.fixed(
        "GET",
        "/executions",
        "executions",
        KNOWN,
        turns.inTurn(executions::list),
        with(new String[] {"collection"}, EXECUTIONS));
  }

  /** Adds the routes of the pauses of everything and of groups. */
  public void addPauses(RouteTable table, DialectEnvelope dialect) {
    table.at(dialect, "/pauses", "pauses", KNOWN).on("GET", pauses::list);
    addPause(table, dialect, "", GLOBAL_READER, GLOBAL_OPERATOR);
    addPause(table, dialect, "/groups/{subscription}/{group}", RESOURCE_READER, RESOURCE_OPERATOR);
  }

  private void addPause(
      RouteTable table,
      DialectEnvelope dialect,
      String scope,
      RoutePermission reader,
      RoutePermission operator) {
    table
        .at(dialect, scope + "/pause", "pause", operator)
        .on("GET", reader, pauses::get)
        .on("POST", pauses::pause);
    table
        .at(dialect, scope + "/resume", "resume", operator)
        .taking(BodyFormat.NONE)
        .on("POST", pauses::resume);
  }

  /** Adds the routes of flows, for the default group and for named groups. */
  public void addFlows(RouteTable table, DialectEnvelope dialect) {
    for (String path : new String[] {"/flows", "/groups/{subscription}/{group}/flows"}) {
      String flow = path + "/{flow}";
      table
          .at(dialect, path, "flows", RESOURCE_READER)
          .on("GET", turns.inTurn(flows::list), QueryParameters.ofPage());
      table
          .at(dialect, flow, "flow", FLOW_WRITER)
          .on("GET", RESOURCE_READER, turns.inTurn(flows::get))
          .on("PUT", flows::put)
          .on("PATCH", flows::patch)
          .on("DELETE", flows::delete);
      table
          .at(dialect, flow + "/log", "flow_log", RESOURCE_READER)
          .on("GET", turns.inTurn(flows::log));
      table.at(dialect, flow + "/pause", "flow_pause", FLOW_OPERATOR).on("POST", flows::pause);
      table
          .at(dialect, flow + "/resume", "flow_resume", FLOW_OPERATOR)
          .taking(BodyFormat.NONE)
          .on("POST", flows::resume);
      table
          .at(dialect, flow + "/reset", "flow_reset", FLOW_OPERATOR)
          .taking(BodyFormat.NONE)
          .on("POST", flows::reset);
    }
  }

  /** Adds the routes of calendars, for the default group and for named groups. */
  public void addCalendars(RouteTable table, DialectEnvelope dialect) {
    for (String path : new String[] {"/calendars", "/groups/{subscription}/{group}/calendars"}) {
      table
          .at(dialect, path, "calendars", RESOURCE_READER)
          .on("GET", turns.inTurn(calendars::list), QueryParameters.ofPage());
      table
          .at(dialect, path + "/{calendar}", "calendar", RESOURCE_WRITER)
          .taking(BodyFormat.JSON_OR_ICALENDAR)
          .on("GET", RESOURCE_READER, turns.inTurn(calendars::get))
          .on("PUT", calendars::put, CalendarRoutes.TIME_ZONE, CalendarRoutes.TRANSPARENT)
          .on("DELETE", calendars::delete, "force");
    }
  }

  /** Adds the collections, jobs and histories that each dialect has, at a path of collections. */
  public void addResources(RouteTable table, DialectEnvelope dialect, String path) {
    add(table, dialect, path, collections::putAsCreated);
    addJobs(table, dialect, path + JOBS, jobs::list, QueryParameters.ofFilteredPage());
    addHistory(table, dialect, path + JOB, history::list, history::get);
  }

  /** Adds the list of collections. */
  public void addCollections(RouteTable table, DialectEnvelope dialect, String path) {
    table
        .at(dialect, path, "collections", KNOWN)
        .on("GET", turns.inTurn(collections::list), QueryParameters.ofPage());
  }

  /** Returns the handlers of jobs. */
  public JobRoutes jobs() {
    return jobs;
  }

  private void add(
      RouteTable table, DialectEnvelope dialect, String path, Route.Handler putCollection) {
    String collection = path + "/{collection}";
    addCollections(table, dialect, path);
    table
        .at(dialect, collection, "collection", GROUP_WRITER)
        .on("GET", COLLECTION_READER, collections::get)
        .on("PUT", putCollection)
        .on("PATCH", collections::patch)
        .on("DELETE", collections::delete);
    table
        .at(dialect, collection + "/enable", "collection_enable", COLLECTION_OPERATOR)
        .taking(BodyFormat.NONE)
        .on("POST", collections::enable);
    table
        .at(dialect, collection + "/disable", "collection_disable", COLLECTION_OPERATOR)
        .on("POST", collections::disable);
  }

  /**
   * Adds the routes of jobs.
   *
   * @param list lists them
   * @param parameters of the list
   */
  private void addJobs(
      RouteTable table,
      DialectEnvelope dialect,
      String path,
      Route.Handler list,
      String[] parameters) {
    String job = path + "/{job}";
    table
        .at(dialect, path, "jobs", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, list, parameters)
        .on("POST", jobs::create)
        .on("PATCH", COLLECTION_OPERATOR, jobs::patchAll, QueryParameters.ofFilteredPage());
    jobs.addJob(table, dialect, job);
    table
        .at(dialect, job + "/run", "job_run", COLLECTION_OPERATOR)
        .taking(BodyFormat.NONE)
        .on("POST", jobs::run, "overlap");
    table
        .at(dialect, job + "/enable", "job_enable", COLLECTION_OPERATOR)
        .taking(BodyFormat.NONE)
        .on("POST", jobs::enable);
    table
        .at(dialect, job + "/disable", "job_disable", COLLECTION_OPERATOR)
        .on("POST", jobs::disable);
  }

  /**
   * Adds the routes of a job's history.
   *
   * @param list handler of the list
   * @param get handler of one entry
   * @param parameters of the list, in addition to those of each filtered page
   */
  private static void addHistory(
      RouteTable table,
      DialectEnvelope dialect,
      String job,
      Route.Handler list,
      Route.Handler get,
      String... parameters) {
    table
        .at(dialect, job + "/history", "history", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, list, with(QueryParameters.ofFilteredPage(), parameters));
    table
        .at(dialect, job + "/history/{entry}", "history_entry", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, get);
  }

  private static String[] with(String[] parameters, String... more) {
    return Stream.concat(Stream.of(parameters), Stream.of(more)).toArray(String[]::new);
  }
}
