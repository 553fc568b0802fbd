package carillon.api.jobs;

import static carillon.api.http.RoutePermission.COLLECTION_OPERATOR;
import static carillon.api.http.RoutePermission.COLLECTION_READER;
import static carillon.api.http.RoutePermission.COLLECTION_WRITER;
import static carillon.api.http.RoutePermission.GROUP_WRITER;
import static carillon.api.http.RoutePermission.KNOWN;

import carillon.api.http.DialectEnvelope;
import carillon.api.http.ReadTurns;
import carillon.api.http.Route;
import carillon.api.http.RouteTable;
import carillon.store.Stores;

/** Routes of collections, jobs and histories, in the native and the ARM dialect. */
public final class ResourceRoutes {
  private static final String ARM_PROVIDER = "/providers/Microsoft.Scheduler/jobCollections";

  private final CollectionRoutes collections;
  private final JobRoutes jobs;
  private final HistoryRoutes history;
  private final SearchRoute search;
  private final ForecastRoutes forecast;
  private final ReadTurns turns;

  public ResourceRoutes(
      Stores stores, CollectionOperations collections, JobOperations operations, ReadTurns turns) {
    this.collections = new CollectionRoutes(stores.collections(), collections);
    this.jobs = new JobRoutes(operations, stores.lists());
    this.history = new HistoryRoutes(operations, stores.lists());
    this.search = new SearchRoute(operations, stores, turns);
    this.forecast = new ForecastRoutes(operations);
    this.turns = turns;
  }

  /** Adds the routes of the native dialect, for the default group and for named groups. */
  public void addNative(RouteTable table, DialectEnvelope dialect) {
    for (String path :
        new String[] {"/jobcollections", "/groups/{subscription}/{group}/jobcollections"}) {
      table.below(DialectEnvelope.NONE, path, KNOWN, RouteTable::nothing);
      add(table, dialect, path, collections::put);
      table
          .at(dialect, path + "/{collection}/search", "collection_search", COLLECTION_READER)
          .on("GET", search::search);
      String job = path + "/{collection}/jobs/{job}";
      table
          .at(dialect, job + "/occurrences", "job_occurrences", COLLECTION_READER)
          .on("GET", forecast::occurrences);
      table
          .at(dialect, job + "/validate", "job_validate", COLLECTION_WRITER)
          .on("POST", forecast::validate);
    }
  }

  /** Adds the routes of the ARM dialect. */
  public void addArm(RouteTable table, DialectEnvelope dialect) {
    table.below(DialectEnvelope.NONE, "/subscriptions", KNOWN, RouteTable::nothing);
    table
        .at(dialect, "/subscriptions/{subscription}" + ARM_PROVIDER, "collections", KNOWN)
        .on("GET", turns.inTurn(collections::list));
    add(
        table,
        dialect,
        "/subscriptions/{subscription}/resourceGroups/{group}" + ARM_PROVIDER,
        collections::putAsCreated);
  }

  private void add(
      RouteTable table, DialectEnvelope dialect, String path, Route.Handler putCollection) {
    String collection = path + "/{collection}";
    table.at(dialect, path, "collections", KNOWN).on("GET", turns.inTurn(collections::list));
    table
        .at(dialect, collection, "collection", GROUP_WRITER)
        .on("GET", COLLECTION_READER, collections::get)
        .on("PUT", putCollection)
        .on("PATCH", collections::patch)
        .on("DELETE", collections::delete);
    table
        .at(dialect, collection + "/enable", "collection_enable", COLLECTION_OPERATOR)
        .on("POST", collections::enable);
    table
        .at(dialect, collection + "/disable", "collection_disable", COLLECTION_OPERATOR)
        .on("POST", collections::disable);
    addJobs(table, dialect, collection + "/jobs");
  }

  private void addJobs(RouteTable table, DialectEnvelope dialect, String path) {
    String job = path + "/{job}";
    table
        .at(dialect, path, "jobs", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, turns.inTurn(jobs::list))
        .on("POST", jobs::create)
        .on("PATCH", COLLECTION_OPERATOR, jobs::patchAll);
    jobs.addJob(table, dialect, job);
    table.at(dialect, job + "/run", "job_run", COLLECTION_OPERATOR).on("POST", jobs::run);
    table.at(dialect, job + "/enable", "job_enable", COLLECTION_OPERATOR).on("POST", jobs::enable);
    table
        .at(dialect, job + "/disable", "job_disable", COLLECTION_OPERATOR)
        .on("POST", jobs::disable);
    table
        .at(dialect, job + "/history", "history", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, history::list);
    table
        .at(dialect, job + "/history/{entry}", "history_entry", COLLECTION_WRITER)
        .on("GET", COLLECTION_READER, history::get);
  }
}
