package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.Quoted;
import carillon.json.HistoryCodec.HistoryId;
import carillon.json.view.HistoryMarkCodec;
import carillon.store.job.JobListing;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Handlers of job histories. */
public final class HistoryRoutes {
  /** The parameter that asks for marks. */
  static final String MARKS = "marks";

  private static final int SLICE = 100;

  private final JobOperations operations;
  private final JobListing lists;

  public HistoryRoutes(JobOperations operations, JobListing lists) {
    this.operations = operations;
    this.lists = lists;
  }

  /** Lists entries, newest first. */
  public Future<ApiResponse> list(ApiRequest request) {
    HistoryFilter filter = request.query().historyFilter();
    int skip = request.query().afterEntries();
    int top = request.query().top();
    return operations
        .resolve(request.path().job())
        .compose(
            job ->
                lists
                    .history(job, filter, skip, top + 1)
                    .map(entries -> page(request, job, entries, skip + top, top)));
  }

  /** Lists entries, newest first, with marks on request. */
  public Future<ApiResponse> listWithMarks(ApiRequest request) {
    boolean withMarks =
        request.query().word(MARKS, List.of("true", "false")).filter("true"::equals).isPresent();
    if (!withMarks) {
      return list(request);
    }
    HistoryFilter filter = request.query().historyFilter(true);
    int skip = request.query().afterEntries();
    int top = request.query().top();
    return operations
        .resolve(request.path().job())
        .compose(job -> lists.historyWithMarks(job, filter, skip, top + 1))
        .map(
            items ->
                ApiResponse.json(
                    200,
                    HistoryMarkCodec.page(
                        items.subList(0, Math.min(top, items.size())),
                        nextLink(request, items, skip + top, top))));
  }

  private static Optional<String> nextLink(ApiRequest request, List<?> items, int shown, int top) {
    return items.size() > top
        ? Optional.of(request.nextLink(Integer.toString(shown)))
        : Optional.empty();
  }

  private static ApiResponse page(
      ApiRequest request, JobName job, List<HistoryEntry> entries, int shown, int top) {
    Optional<String> nextLink = nextLink(request, entries, shown, top);
    List<HistoryEntry> page = entries.subList(0, Math.min(top, entries.size()));
    return ApiResponse.json(200, request.codec().history().page(job, page, nextLink));
  }

  /** Answers one entry. */
  public Future<ApiResponse> get(ApiRequest request) {
    return operations
        .resolve(request.path().job())
        .compose(
            job ->
                find(job, request.path().id(), 0)
                    .map(entry -> request.codec().history().entry(job, entry)))
        .map(body -> ApiResponse.json(200, body));
  }

  /** Answers one entry, or one mark. */
  public Future<ApiResponse> getWithMarks(ApiRequest request) {
    String id = request.path().id();
    return HistoryId.isOfMark(id)
        ? operations
            .resolve(request.path().job())
            .compose(lists::marks)
            .map(
                marks ->
                    marks.stream()
                        .filter(mark -> HistoryId.of(mark).equals(id))
                        .findFirst()
                        .orElseThrow(() -> notFound(id)))
            .map(mark -> ApiResponse.json(200, HistoryMarkCodec.answer(mark)))
        : get(request);
  }

  /**
   * Finds an entry by its id. Ids are computed from entries, so it reads the history, which is
   * bounded.
   */
  private Future<HistoryEntry> find(JobName job, String id, int skip) {
    return lists
        .history(job, HistoryFilter.ALL, skip, SLICE)
        .compose(
            entries -> {
              Optional<HistoryEntry> found =
                  entries.stream().filter(entry -> HistoryId.of(entry).equals(id)).findFirst();
              if (found.isEmpty() && entries.size() == SLICE) {
                return find(job, id, skip + SLICE);
              }
              return Future.succeededFuture(found.orElseThrow(() -> notFound(id)));
            });
  }

  private static JobException notFound(String id) {
    return new JobException(
        ErrorCode.JOB_NOT_FOUND, "History entry '" + Quoted.of(id) + "' cannot be found.");
  }
}
