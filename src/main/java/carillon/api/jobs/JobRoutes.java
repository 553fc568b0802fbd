package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.QueryParameters;
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

/** Jobs over HTTP. */
public final class JobRoutes {
  private final JobOperations operations;
  private final BulkJobOperations all;
  private final JobListing lists;

  public JobRoutes(JobOperations operations, JobListing lists) {
    this.operations = operations;
    this.all = new BulkJobOperations(operations, lists);
    this.lists = lists;
  }

  /** All jobs of a collection. */
  public Future<ApiResponse> jobs(ApiRequest request) {
    return switch (request.method()) {
      case "GET" -> list(request);
      case "POST" -> create(request);
      case "PATCH" -> patchAll(request);
      default -> throw request.notAllowed("GET, POST, PATCH");
    };
  }

  /** One job. */
  public Future<ApiResponse> job(ApiRequest request) {
    JobName name = request.path().job();
    return switch (request.method()) {
      case "PUT" -> put(request, name);
      case "GET" -> get(request, name);
      case "PATCH" -> patch(request, name);
      case "DELETE" -> delete(request, name);
      default -> throw request.notAllowed("GET, PUT, PATCH, DELETE");
    };
  }

  public Future<ApiResponse> run(ApiRequest request) {
    requirePost(request);
    return operations
        .run(request.path().job(), request.change())
        .map(done -> ApiResponse.empty(200));
  }

  public Future<ApiResponse> enable(ApiRequest request) {
    requirePost(request);
    return operations
        .enable(request.path().job(), EtagPreconditions.ofWrite(request.http()), request.change())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  public Future<ApiResponse> disable(ApiRequest request) {
    requirePost(request);
    return operations
        .disable(request.path().job(), EtagPreconditions.ofWrite(request.http()), request.change())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  private static void requirePost(ApiRequest request) {
    if (!request.method().equals("POST")) {
      throw request.notAllowed("POST");
    }
  }

  private Future<ApiResponse> put(ApiRequest request, JobName name) {
    JobSubmission submission = submission(request, name);
    return operations
        .put(name, submission, EtagPreconditions.ofWrite(request.http()), request.change())
        .map(put -> written(request, put));
  }

  /** The service makes the name. */
  private Future<ApiResponse> create(ApiRequest request) {
    JobName name = request.path().collection().job(UUID.randomUUID().toString());
    JobSubmission submission = submission(request, name);
    String path = request.http().path();
    String location = (path.endsWith("/") ? path : path + "/") + name.job();
    return operations
        .put(name, submission, Precondition.ABSENT, request.change())
        .map(put -> written(request, put).with(Map.of("Location", location)));
  }

  private static JobSubmission submission(ApiRequest request, JobName name) {
    return request.wire().jobs().read(request.body(), request.now()).withTrace(request.trace(name));
  }

  private static ApiResponse written(ApiRequest request, JobStore.Put put) {
    return answer(put.created() ? 201 : 200, request, put.job());
  }

  private static ApiResponse answer(int status, ApiRequest request, StoredJob job) {
    return ApiResponse.json(status, request.wire().jobs().job(job)).withRevision(job.revision());
  }

  private Future<ApiResponse> get(ApiRequest request, JobName name) {
    return operations
        .get(name)
        .map(
            job ->
                EtagPreconditions.isKnown(request.http(), job.revision())
                    ? ApiResponse.empty(304).withRevision(job.revision())
                    : answer(200, request, job));
  }

  private Future<ApiResponse> patch(ApiRequest request, JobName name) {
    return operations
        .patch(
            name,
            current -> changed(request, current),
            EtagPreconditions.ofWrite(request.http()),
            request.change())
        .map(job -> answer(200, request, job));
  }

  /** Answers as the list of all jobs begins, or as it is asked for in the query. */
  private Future<ApiResponse> patchAll(ApiRequest request) {
    JobState state = request.wire().jobs().readState(request.body());
    return all.setState(request.path().collection(), state, request.change())
        .compose(done -> list(request));
  }

  /** A change that is not traced leaves the job in the trace it is in. */
  private static JobSubmission changed(ApiRequest request, StoredJob current) {
    return request
        .wire()
        .jobs()
        .patch(current, request.body(), request.now())
        .withTrace(request.trace(current.name()).or(() -> current.definition().trace()));
  }

  private Future<ApiResponse> delete(ApiRequest request, JobName name) {
    return operations
        .delete(name, EtagPreconditions.ofWrite(request.http()), request.change())
        .map(done -> ApiResponse.empty(200));
  }

  private Future<ApiResponse> list(ApiRequest request) {
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
                            .wire()
                            .jobs()
                            .page(page.jobs(), page.damaged(), page.after().map(request::nextLink)))
                    .with(warning(page.damaged())));
  }

  /** Also where the list itself has no room for it; of the first job that is damaged. */
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
