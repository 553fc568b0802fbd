package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.job.ErrorCode;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.HistoryFilter;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.Quoted;
import carillon.json.HistoryCodec.HistoryId;
import carillon.store.job.JobListing;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Handlers of job histories. */
public final class HistoryRoutes {
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

  private static ApiResponse page(
      ApiRequest request, JobName job, List<HistoryEntry> entries, int shown, int top) {
    Optional<String> nextLink =
        entries.size() > top
            ? Optional.of(request.nextLink(Integer.toString(shown)))
            : Optional.empty();
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

  /** Finds an entry by its id, which is computed: reads the history, which is bounded. */
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
