package carillon.api;

import carillon.codec.Submission;
import carillon.job.DamagedJob;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.store.JobLists;
import carillon.store.JobStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Jobs over HTTP. */
final class JobRoutes {
  private final JobOperations operations;
  private final AllJobs all;
  private final JobLists lists;

  JobRoutes(JobOperations operations, JobLists lists) {
    this.operations = operations;
    this.all = new AllJobs(operations, lists);
    this.lists = lists;
  }

  /** All jobs of a collection. */
  Future<Answer> jobs(ApiRequest request) {
    return switch (request.method()) {
      case "GET" -> list(request);
      case "POST" -> create(request);
      case "PATCH" -> patchAll(request);
      default -> throw request.notAllowed("GET, POST, PATCH");
    };
  }

  /** One job. */
  Future<Answer> job(ApiRequest request) {
    JobName name = request.path().job();
    return switch (request.method()) {
      case "PUT" -> put(request, name);
      case "GET" -> get(request, name);
      case "PATCH" -> patch(request, name);
      case "DELETE" -> delete(request, name);
      default -> throw request.notAllowed("GET, PUT, PATCH, DELETE");
    };
  }

  Future<Answer> run(ApiRequest request) {
    requirePost(request);
    return operations.run(request.path().job(), request.change()).map(done -> Answer.empty(200));
  }

  Future<Answer> enable(ApiRequest request) {
    requirePost(request);
    return operations
        .enable(request.path().job(), Conditions.ofWrite(request.http()), request.change())
        .map(job -> Answer.empty(200).withRevision(job.revision()));
  }

  Future<Answer> disable(ApiRequest request) {
    requirePost(request);
    return operations
        .disable(request.path().job(), Conditions.ofWrite(request.http()), request.change())
        .map(job -> Answer.empty(200).withRevision(job.revision()));
  }

  private static void requirePost(ApiRequest request) {
    if (!request.method().equals("POST")) {
      throw request.notAllowed("POST");
    }
  }

  private Future<Answer> put(ApiRequest request, JobName name) {
    Submission submission = submission(request, name);
    return operations
        .put(name, submission, Conditions.ofWrite(request.http()), request.change())
        .map(put -> written(request, put));
  }

  /** The service makes the name. */
  private Future<Answer> create(ApiRequest request) {
    JobName name = request.path().collection().job(UUID.randomUUID().toString());
    Submission submission = submission(request, name);
    String path = request.http().path();
    String location = (path.endsWith("/") ? path : path + "/") + name.job();
    return operations
        .put(name, submission, Precondition.ABSENT, request.change())
        .map(put -> written(request, put).with(Map.of("Location", location)));
  }

  private static Submission submission(ApiRequest request, JobName name) {
    return request
        .wire()
        .jobReader()
        .read(request.body(), request.now())
        .withTrace(request.trace(name));
  }

  private static Answer written(ApiRequest request, JobStore.Put put) {
    return answer(put.created() ? 201 : 200, request, put.job());
  }

  private static Answer answer(int status, ApiRequest request, StoredJob job) {
    return Answer.json(status, request.wire().jobWriter().job(job)).withRevision(job.revision());
  }

  private Future<Answer> get(ApiRequest request, JobName name) {
    return operations
        .get(name)
        .map(
            job ->
                Conditions.isKnown(request.http(), job.revision())
                    ? Answer.empty(304).withRevision(job.revision())
                    : answer(200, request, job));
  }

  private Future<Answer> patch(ApiRequest request, JobName name) {
    return operations
        .patch(
            name,
            current -> changed(request, current),
            Conditions.ofWrite(request.http()),
            request.change())
        .map(job -> answer(200, request, job));
  }

  /** Answers as the list of all jobs begins, or as it is asked for in the query. */
  private Future<Answer> patchAll(ApiRequest request) {
    JobState state = request.wire().jobReader().readState(request.body());
    return all.setState(request.path().collection(), state, request.change())
        .compose(done -> list(request));
  }

  /** A change that is not traced leaves the job in the trace it is in. */
  private static Submission changed(ApiRequest request, StoredJob current) {
    return request
        .wire()
        .jobReader()
        .patch(current, request.body(), request.now())
        .withTrace(request.trace(current.name()).or(() -> current.definition().trace()));
  }

  private Future<Answer> delete(ApiRequest request, JobName name) {
    return operations
        .delete(name, Conditions.ofWrite(request.http()), request.change())
        .map(done -> Answer.empty(200));
  }

  private Future<Answer> list(ApiRequest request) {
    Query query = request.query();
    return operations
        .resolve(request.path().collection())
        .compose(
            collection ->
                lists.list(
                    collection, query.stateFilter(), query.after(), query.skip(), query.top()))
        .map(
            page ->
                Answer.json(
                        200,
                        request
                            .wire()
                            .jobWriter()
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
