package carillon.api.classic;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.QueryParameters;
import carillon.api.jobs.BulkJobOperations;
import carillon.api.jobs.JobOperations;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.HistoryFilter;
import carillon.job.JobState;
import carillon.job.StoredJob;
import carillon.json.HistoryCodec;
import carillon.store.job.JobListing;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Jobs over HTTP, in the classic dialect: what it has beyond the others, or otherwise. */
final class ClassicJobRoutes {
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
    return all.delete(request.path().collection(), request.change())
        .map(done -> ApiResponse.empty(200));
  }

  /**
   * Entries newest first, with the state of the job beside each, by which they can be chosen too.
   */
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
    return ApiResponse.json(200, HistoryCodec.classicPage(job, entries));
  }
}
