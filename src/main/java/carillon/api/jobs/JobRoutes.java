package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.CallerTurns;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.EtagPreconditions;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.api.http.QueryParameters.JobFilter;
import carillon.api.http.RoutePermission;
import carillon.api.http.RouteTable;
import carillon.api.resources.CollectionOperations;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.JobCodec.NewJob;
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.collection.HoldReader;
import carillon.store.job.JobListing;
import carillon.store.job.JobOrder;
import carillon.store.job.JobSearch.Criteria;
import carillon.store.job.JobStore;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Handlers of jobs. */
public final class JobRoutes {
  private static final String SKIP = "skip";

  /** Headers of a repeated answer to a request with the same idempotency key. */
  private static final Map<String, String> REPLAYED = Map.of("Idempotency-Replayed", "true");

  private static final Future<Holds> NOTHING = Future.succeededFuture(Holds.NONE);

  private final JobOperations operations;
  private final JobChanges changes;
  private final BulkJobOperations all;
  private final JobListing lists;
  private final HoldReader holds;
  private final CallerTurns listTurns;
  private final CallerTurns searchTurns;
  private final FirstUse firstUse;

  /**
   * @param listTurns turns of lists
   * @param searchTurns turns of lists by labels or in another order, which no index answers
   */
  public JobRoutes(
      JobOperations operations,
      CollectionOperations collections,
      Stores stores,
      CallerTurns listTurns,
      CallerTurns searchTurns) {
    this.operations = operations;
    this.changes = operations.changes();
    this.firstUse = new FirstUse(collections);
    this.all = new BulkJobOperations(operations, stores.job().jobListing());
    this.lists = stores.job().jobListing();
    this.holds = stores.collection().holds();
    this.listTurns = listTurns;
    this.searchTurns = searchTurns;
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

  /**
   * Runs a job once, now. A repeat with the same idempotency key does not run it again. The native
   * dialect answers with the execution and the reason if it waits.
   */
  public Future<ApiResponse> run(ApiRequest request) {
    JobStore.ExecutionRequest how =
        new JobStore.ExecutionRequest(
            isAlone(request.query()),
            IdempotencyKey.of(request).map(key -> key.digest(request.caller().label())));
    return operations
        .requestExecution(request.path().job(), how, request.auditContext())
        .compose(
            execution ->
                accepted(request, execution.id())
                    .map(answer -> execution.isRepeat() ? answer.with(REPLAYED) : answer));
  }

  private Future<ApiResponse> accepted(ApiRequest request, String execution) {
    return request.codec().jobs().answersWaits()
        ? holds
            .of(request.path().collection())
            .map(waits -> ApiResponse.json(202, JobCodec.execution(execution, waits)))
        : Future.succeededFuture(ApiResponse.empty(200));
  }

  private static boolean isAlone(QueryParameters query) {
    return query.word("overlap", List.of("allowAll", SKIP)).filter(SKIP::equals).isPresent();
  }

  /** Runs a finished job again, and answers with the execution and the reason if it waits. */
  public Future<ApiResponse> retry(ApiRequest request) {
    return changes
        .retry(
            request.path().job(), EtagPreconditions.ofWrite(request.http()), request.auditContext())
        .compose(
            job ->
                accepted(request, job.nextExecution())
                    .map(answer -> answer.withRevision(job.revision())));
  }

  /** Runs all faulted jobs of a collection again, or those of another finished state. */
  public Future<ApiResponse> retryAll(ApiRequest request) {
    JobFilter filter = request.query().jobFilter();
    JobState state = filter.state().orElse(JobState.FAULTED);
    if (!state.isFinal()) {
      throw JobException.invalid(
          "$filter: state '" + state.word() + "' must be faulted or completed");
    }
    JobFilter wanted = new JobFilter(Optional.of(state), filter.labels());
    return all.retry(request.path().collection(), wanted, request.auditContext())
        .map(
            retried ->
                ApiResponse.json(
                    200, ("{\"retried\":" + retried + "}").getBytes(StandardCharsets.US_ASCII)));
  }

  public Future<ApiResponse> enable(ApiRequest request) {
    return changes
        .enable(
            request.path().job(), EtagPreconditions.ofWrite(request.http()), request.auditContext())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  public Future<ApiResponse> disable(ApiRequest request) {
    return changes
        .disable(
            request.path().job(),
            request.codec().jobs().readPause(request.body(), request.now()),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .map(job -> ApiResponse.empty(200).withRevision(job.revision()));
  }

  /** Creates or replaces a job. */
  public Future<ApiResponse> put(ApiRequest request) {
    JobName name = request.path().job();
    JobSubmission submission = submission(request, name);
    Precondition condition = EtagPreconditions.ofWrite(request.http());
    return put(request, name, submission, condition).compose(put -> written(request, put));
  }

  private Future<JobStore.Put> put(
      ApiRequest request, JobName name, JobSubmission submission, Precondition condition) {
    return firstUse.write(
        request,
        condition,
        () -> operations.put(name, submission, condition, request.auditContext()));
  }

  /** Creates a job. Its name is in the request, follows from the idempotency key, or is random. */
  public Future<ApiResponse> create(ApiRequest request) {
    Optional<IdempotencyKey> key = IdempotencyKey.of(request);
    NewJob job = request.codec().jobs().create(request.body(), naming(request, key), request.now());
    String path = request.http().path();
    return create(request, key, job, path.endsWith("/") ? path : path + "/");
  }

  /** Creates a job from its shortest form, a call. */
  public Future<ApiResponse> call(ApiRequest request) {
    Optional<IdempotencyKey> key = IdempotencyKey.of(request);
    NewJob job =
        request
            .codec()
            .jobs()
            .call(request.body(), request.query().text("in"), naming(request, key), request.now());
    return create(request, key, job, nativeJobs(job.name().collection()));
  }

  private static String nativeJobs(CollectionName collection) {
    String group = collection.subscription() + "/" + collection.group();
    return (group.equals("default/default") ? "" : "/groups/" + group)
        + "/jobcollections/"
        + collection.collection()
        + "/jobs/";
  }

  private static Function<Optional<String>, JobName> naming(
      ApiRequest request, Optional<IdempotencyKey> key) {
    return id ->
        request
            .path()
            .collection()
            .job(
                id.or(() -> key.map(given -> given.digest(request.caller().label())))
                    .orElseGet(() -> UUID.randomUUID().toString()));
  }

  private Future<ApiResponse> create(
      ApiRequest request, Optional<IdempotencyKey> key, NewJob read, String path) {
    NewJob job = read.withTrace(request.trace(read.name()));
    Map<String, String> location = Map.of("Location", path + job.name().job());
    return put(request, job.name(), job.submission(), Precondition.ABSENT)
        .compose(put -> written(request, put))
        .recover(
            failure ->
                ChangeRetries.isOvertaken(failure)
                    ? isThere(request, key, job)
                    : Future.failedFuture(failure))
        .map(response -> response.with(location));
  }

  /**
   * Answers if a job of this name exists. A repeat of the first request gets the answer of that
   * request.
   */
  private Future<ApiResponse> isThere(
      ApiRequest request, Optional<IdempotencyKey> key, NewJob job) {
    if (key.isEmpty()) {
      return Future.failedFuture(
          new JobException(ErrorCode.CONFLICT, "Job '" + job.name().job() + "' is there already."));
    }
    return operations
        .get(job.name())
        .compose(
            stored -> {
              if (!job.isLike(stored, request.now())) {
                throw HttpException.of(
                    422,
                    "IdempotencyMismatch",
                    IdempotencyKey.HEADER
                        + ": was given to another job before, '"
                        + stored.name().job()
                        + "', or this one has been changed since",
                    Map.of());
              }
              return waits(request, stored.name().collection())
                  .map(waits -> answer(200, request, stored, waits).with(REPLAYED));
            });
  }

  private static JobSubmission submission(ApiRequest request, JobName name) {
    return request
        .codec()
        .jobs()
        .read(new JobKey(name.key()), request.body(), request.now())
        .withTrace(request.trace(name));
  }

  private Future<ApiResponse> written(ApiRequest request, JobStore.Put put) {
    Future<Holds> recent =
        request.codec().jobs().answersWaits()
            ? holds.recent(put.job().name().collection())
            : NOTHING;
    return recent.map(waits -> answer(put.created() ? 201 : 200, request, put.job(), waits));
  }

  private static ApiResponse answer(int status, ApiRequest request, StoredJob job, Holds waits) {
    return ApiResponse.json(status, request.codec().jobs().job(job, waits))
        .withRevision(job.revision());
  }

  public Future<ApiResponse> get(ApiRequest request) {
    Future<Holds> waits = waits(request, request.path().collection());
    return operations
        .get(request.path().job())
        .compose(job -> waits.map(hold -> found(request, job, hold)));
  }

  private ApiResponse found(ApiRequest request, StoredJob job, Holds waits) {
    return EtagPreconditions.unlessKnown(
        request.http(),
        job.revision(),
        () ->
            ApiResponse.json(200, request.codec().jobs().job(job, waits, operations.defaults()))
                .withRevision(job.revision()));
  }

  public Future<ApiResponse> patch(ApiRequest request) {
    return changes
        .patch(
            request.path().job(),
            current -> changed(request, current),
            EtagPreconditions.ofWrite(request.http()),
            request.auditContext())
        .compose(
            job ->
                waits(request, job.name().collection())
                    .map(waits -> answer(200, request, job, waits)));
  }

  /**
   * Enables or disables all jobs of a collection, or those with certain labels. Answers with the
   * page of their list that the query asks for.
   */
  public Future<ApiResponse> patchAll(ApiRequest request) {
    JobState state = request.codec().jobs().readState(request.body());
    Map<String, String> labels = listed(request.query()).labels();
    return all.setState(request.path().collection(), labels, state, request.auditContext())
        .compose(done -> page(request, Optional.empty()));
  }

  /** Returns the changed job. A change without a trace keeps the trace of the job. */
  private static JobSubmission changed(ApiRequest request, StoredJob current) {
    return request
        .codec()
        .jobs()
        .patch(current, request.body(), request.now())
        .withTrace(request.trace(current.name()).or(() -> current.definition().trace()));
  }

  public Future<ApiResponse> delete(ApiRequest request) {
    return operations
        .delete(
            request.path().job(), EtagPreconditions.ofWrite(request.http()), request.auditContext())
        .map(done -> ApiResponse.empty(200));
  }

  /** Lists the jobs of a collection by name, in turn. */
  public Future<ApiResponse> list(ApiRequest request) {
    return list(request, Optional.empty());
  }

  /** Lists the jobs of a collection in the order that the query asks for, in turn. */
  public Future<ApiResponse> listOrdered(ApiRequest request) {
    return list(request, request.query().order().flatMap(JobOrder::parse));
  }

  private Future<ApiResponse> list(ApiRequest request, Optional<JobOrder> order) {
    boolean isIndexed = order.isEmpty() && listed(request.query()).labels().isEmpty();
    return (isIndexed ? listTurns : searchTurns).take(request, () -> page(request, order));
  }

  /** Returns the filter of the listed jobs. */
  private static JobFilter listed(QueryParameters query) {
    JobFilter filter = query.jobFilter();
    if (query.skip() > 0 && !filter.labels().isEmpty()) {
      throw JobException.invalid("$skip: does not go with labels; follow nextLink instead");
    }
    return filter;
  }

  private Future<ApiResponse> page(ApiRequest request, Optional<JobOrder> order) {
    return operations
        .resolve(request.path().collection())
        .compose(
            collection ->
                Future.all(page(collection, request.query(), order), waits(request, collection)))
        .map(both -> page(request, both.resultAt(0), both.resultAt(1)));
  }

  private static ApiResponse page(ApiRequest request, JobListing.Page page, Holds waits) {
    Optional<String> next = page.after().map(request::nextLink);
    return ApiResponse.json(
            200, request.codec().jobs().page(page.jobs(), page.damaged(), next, waits))
        .withWarning(warning(page.damaged()));
  }

  /**
   * Returns the causes that may hold the jobs of a collection back; only the native dialect shows
   * them.
   */
  private Future<Holds> waits(ApiRequest request, CollectionName collection) {
    return request.codec().jobs().answersWaits() ? holds.of(List.of(collection)) : NOTHING;
  }

  private Future<JobListing.Page> page(
      CollectionName collection, QueryParameters query, Optional<JobOrder> order) {
    JobFilter filter = listed(query);
    int skip = query.skip();
    int top = query.top();
    if (order.isPresent()) {
      Criteria wanted = new Criteria(filter.state(), "", "", "", filter.labels());
      return lists.list(collection, wanted, order.get(), query.after(), skip, top);
    }
    return lists.list(collection, filter.state(), filter.labels(), query.afterName(), skip, top);
  }

  /** Warning about the first damaged job, also for dialects whose lists cannot show it. */
  private static Optional<String> warning(List<DamagedJob> damaged) {
    return damaged.stream()
        .findFirst()
        .map(job -> "job '" + job.name().job() + "' is damaged: " + job.reason());
  }
}
