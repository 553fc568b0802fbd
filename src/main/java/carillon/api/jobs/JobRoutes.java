package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.QueryParameters;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.json.JobCodec.JobSubmission;
import carillon.store.job.JobListing;
import carillon.store.job.JobStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Handlers of jobs. */
public final class JobRoutes {
  private final JobOperations operations;
  private final BulkJobOperations all;
  private final JobListing lists;

  public JobRoutes(JobOperations operations, JobListing lists) {
    this.operations = operations;
    this.all = new BulkJobOperations(operations, lists);
    this.lists = lists;
  }

  /** Adds the routes of one job, which are the same in every dialect. */
  public void addJob(RouteTable table, DialectEnvelope dialect, String path) {
    table
        .at(dialect, path, "job", RoutePermission.COLLECTION_WRITER)
        .on("GET", RoutePermission.COLLECTION_READER, this::get)
        .on("PUT", this::put)
        .on("PATCH", this::patch)
        .on("DELETE", this::delete);
  }

  /** Runs a job once, now. */
  public Future<ApiResponse> run(ApiRequest request) {
    return operations
        .run(request.path().job(), request.change())
        .map(done -> ApiResponse.empty(200));
  }

  public Future<ApiResponse> enable(ApiRequest request) {
    return operations
        .enable(request.path().job(), EtagPreconditions.ofWrite(request.http()), request.change())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  public Future<ApiResponse> disable(ApiRequest request) {
    return operations
        .disable(request.path().job(), EtagPreconditions.ofWrite(request.http()), request.change())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  /** Creates or replaces a job. */
  public Future<ApiResponse> put(ApiRequest request) {
    JobName name = request.path().job();
    JobSubmission submission = submission(request, name);
    return operations
        .put(name, submission, EtagPreconditions.ofWrite(request.http()), request.change())
        .map(put -> written(request, put));
  }

  /** Creates a job with a random name. */
  public Future<ApiResponse> create(ApiRequest request) {
    JobName name = request.path().collection().job(UUID.randomUUID().toString());
    JobSubmission submission = submission(request, name);
    String path = request.http().path();
    String location = (path.endsWith("/") ? path : path + "/") + name.job();
    return operations
        .put(name, submission, Precondition.ABSENT, request.change())
        .map(put -> written(request, put).with(Map.of("Location", location)));
  }

  private static JobSubmission submission(ApiRequest request, JobName name) {
    return request
        .codec()
        .jobs()
        .read(new JobKey(name.key()), request.body(), request.now())
        .withTrace(request.trace(name));
  }

  private static ApiResponse written(ApiRequest request, JobStore.Put put) {
    return answer(put.created() ? 201 : 200, request, put.job());
  }

  private static ApiResponse answer(int status, ApiRequest request, StoredJob job) {
    return ApiResponse.json(status, request.codec().jobs().job(job)).withRevision(job.revision());
  }

  public Future<ApiResponse> get(ApiRequest request) {
    return operations
        .get(request.path().job())
        .map(
            job ->
                EtagPreconditions.unlessKnown(
                    request.http(), job.revision(), () -> answer(200, request, job)));
  }

  public Future<ApiResponse> patch(ApiRequest request) {
    return operations
        .patch(
            request.path().job(),
            current -> changed(request, current),
            EtagPreconditions.ofWrite(request.http()),
            request.change())
        .map(job -> answer(200, request, job));
  }

  /**
   * Enables or disables all jobs of a collection. Answers with the page of their list that the
   * query asks for.
   */
  public Future<ApiResponse> patchAll(ApiRequest request) {
    JobState state = request.codec().jobs().readState(request.body());
    return all.setState(request.path().collection(), state, request.change())
        .compose(done -> list(request));
  }

  /** The changed job; without a trace of its own, the change keeps that of the job. */
  private static JobSubmission changed(ApiRequest request, StoredJob current) {
    return request
        .codec()
        .jobs()
        .patch(current, request.body(), request.now())
        .withTrace(request.trace(current.name()).or(() -> current.definition().trace()));
  }

  public Future<ApiResponse> delete(ApiRequest request) {
    return operations
        .delete(request.path().job(), EtagPreconditions.ofWrite(request.http()), request.change())
        .map(done -> ApiResponse.empty(200));
  }

  /** Lists the jobs of a collection. */
  public Future<ApiResponse> list(ApiRequest request) {
    QueryParameters query = request.query();
    return operations
        .resolve(request.path().collection())
        .compose(
            collection ->
                lists.list(
                    collection, query.stateFilter(), query.after(), query.skip(), query.top()))
        .map(
            page ->
                ApiResponse.json(
                        200,
                        request
                            .codec()
                            .jobs()
                            .page(page.jobs(), page.damaged(), page.after().map(request::nextLink)))
                    .with(warning(page.damaged())));
  }

  /** Warning about the first damaged job, also for dialects whose lists cannot tell. */
  private static Map<String, String> warning(List<DamagedJob> damaged) {
    return damaged.stream()
        .findFirst()
        .map(job -> Map.of("Warning", "199 - \"" + quoted(job) + "\""))
        .orElse(Map.of());
  }

  private static String quoted(DamagedJob job) {
    return ("job '" + job.name().job() + "' is damaged: " + job.reason())
        .replaceAll("[^ !#-\\[\\]-~]", "?");
  }
}
