package carillon.api.classic;

import carillon.api.dialect.DialectContext;
import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.CallerTurns;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.QueryParameters;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.api.jobs.BulkJobOperations;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.JobRoutes;
import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.name.JobState;
import carillon.json.HistoryCodec;
import carillon.json.text.JsonOut;
import carillon.json.text.Timestamps;
import carillon.store.Stores;
import carillon.store.job.JobListing;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Routes of the classic dialect. */
final class ClassicRoutes {
  private static final String SERVICES = "/{subscription}/cloudservices";
  private static final String SERVICE = SERVICES + "/{group}";

  /** First words of the paths of the dialect. */
  private static final List<String> WORDS =
      List.of("cloudservices", "entitleresource", "operations", "services", "resourceproviders");

  private final CallerTurns turns;
  private final DialectEnvelope json;
  private final DialectEnvelope xml;
  private final CloudServiceRoutes services;
  private final ClassicCollectionRoutes collections;
  private final JobRoutes shared;
  private final ClassicJobRoutes jobs;

  /** Routes to the collections and jobs of the other dialects. */
  ClassicRoutes(DialectContext context, ClassicEnvelope envelope) {
    Stores stores = context.stores();
    this.turns = context.turns();
    this.json = envelope;
    this.xml = envelope.ofXml();
    ClassicXmlWriter documents = new ClassicXmlWriter(envelope.region());
    this.services = new CloudServiceRoutes(stores, context.collections(), documents);
    this.collections =
        new ClassicCollectionRoutes(
            services, stores.collection().collections(), context.collections(), documents);
    this.shared = context.resources().jobs();
    this.jobs = new ClassicJobRoutes(context.jobs(), stores.job().jobListing());
  }

  /** Adds them to the table. */
  void addTo(RouteTable table) {
    for (String word : WORDS) {
      table.below(
          xml, "/{subscription}/" + word, RoutePermission.SUBSCRIPTION_SIGHT, RouteTable::nothing);
    }
    addServices(table);
    for (String provider : List.of("/resources/scheduler", "/resources/scheduler/~")) {
      addCollections(table, SERVICE + provider + "/jobcollections");
      addJobs(table, SERVICE + provider + "/jobcollections/{collection}/jobs");
    }
  }

  private void addServices(RouteTable table) {
    table
        .at(xml, SERVICES, "cloud_services", RoutePermission.KNOWN)
        .on("GET", turns.inTurn(services::list));
    table
        .at(xml, SERVICE, "cloud_service", RoutePermission.RESOURCE_WRITER)
        .on("GET", RoutePermission.RESOURCE_READER, services::get)
        .on("PUT", services::put)
        .on("DELETE", services::delete);
    RoutePermission sight = RoutePermission.SUBSCRIPTION_SIGHT;
    table
        .at(xml, "/{subscription}/entitleresource", "entitlement", sight)
        .on("POST", ClassicProviderRoutes::entitle);
    table
        .at(xml, "/{subscription}/services", "registration", sight)
        .on("PUT", ClassicProviderRoutes::register);
    table
        .at(xml, "/{subscription}/resourceproviders/scheduler/properties", "provider", sight)
        .on("GET", ClassicProviderRoutes::properties);
    table
        .at(xml, "/{subscription}/operations/{operation}", "operation", sight)
        .on("GET", ClassicProviderRoutes::operation);
  }

  private void addCollections(RouteTable table, String path) {
    // One SDK asks with GET whether a name is free, another with POST.
    table
        .at(xml, path, "collections", RoutePermission.GROUP_READER)
        .on("GET", collections::availability)
        .on("POST", collections::availability);
    table
        .at(xml, path + "/{collection}", "collection", RoutePermission.GROUP_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, collections::get)
        .on("PUT", collections::put)
        .on("DELETE", collections::delete);
  }

  private void addJobs(RouteTable table, String path) {
    table
        .at(json, path, "jobs", RoutePermission.COLLECTION_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, shared::list)
        .on("POST", shared::create)
        .on("PATCH", RoutePermission.COLLECTION_OPERATOR, shared::patchAll)
        .on("DELETE", jobs::deleteAll);
    shared.addJob(table, json, path + "/{job}");
    table
        .at(json, path + "/{job}/history", "history", RoutePermission.COLLECTION_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, jobs::history);
  }

  /** Handlers of jobs that only the classic dialect has. */
  private static final class ClassicJobRoutes {
    private static final Pattern ABOUT_STATE =
        Pattern.compile("\\s*state\\s.*", Pattern.CASE_INSENSITIVE);

    private final JobOperations operations;
    private final BulkJobOperations all;
    private final JobListing lists;

    ClassicJobRoutes(JobOperations operations, JobListing lists) {
      this.operations = operations;
      this.all = new BulkJobOperations(operations, lists);
      this.lists = lists;
    }

    /** Deletes all jobs of a collection. */
    Future<ApiResponse> deleteAll(ApiRequest request) {
      return all.delete(request.path().collection(), request.auditContext())
          .map(done -> ApiResponse.empty(200));
    }

    /** Answers the entries, newest first. Each has the state of the job, which is also a filter. */
    Future<ApiResponse> history(ApiRequest request) {
      QueryParameters query = request.query();
      Optional<JobState> state = isAboutState(query) ? query.stateFilter() : Optional.empty();
      HistoryFilter filter = state.isEmpty() ? query.historyFilter() : HistoryFilter.ALL;
      return operations
          .get(request.path().job())
          .compose(
              job ->
                  state.isPresent() && state.get() != job.state()
                      ? Future.succeededFuture(answer(job, List.of()))
                      : lists
                          .history(job.name(), filter, query.skip(), query.top())
                          .map(entries -> answer(job, entries)));
    }

    private static boolean isAboutState(QueryParameters query) {
      return query.text("$filter").filter(text -> ABOUT_STATE.matcher(text).matches()).isPresent();
    }

    private static ApiResponse answer(StoredJob job, List<HistoryEntry> entries) {
      return ApiResponse.json(200, page(job, entries));
    }
  }

  /** Writes a page of the history, which shows the present state of the job. */
  static byte[] page(StoredJob job, List<HistoryEntry> entries) {
    return JsonOut.of(
        ClassicEnvelope.DIALECT,
        json -> JsonOut.writeItems(json, entries, (out, entry) -> write(out, job, entry)));
  }

  private static void write(JsonGenerator json, StoredJob job, HistoryEntry entry)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("jobId", job.name().job());
    json.writeStringField("timestamp", Timestamps.format(entry.end()));
    json.writeStringField("startTime", Timestamps.format(entry.start()));
    json.writeStringField("endTime", Timestamps.format(entry.end()));
    json.writeStringField("state", job.state().word());
    json.writeStringField("message", entry.message());
    json.writeStringField("status", entry.status().word());
    HistoryCodec.writeCounts(json, entry);
    HistoryCodec.writeSkip(json, entry);
    json.writeEndObject();
  }
}
