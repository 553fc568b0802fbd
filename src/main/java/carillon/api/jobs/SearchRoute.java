package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.HttpException;
import carillon.api.http.QueryParameters;
import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.StoredJob.DamagedJob;
import carillon.json.SearchWriter;
import carillon.store.Stores;
import carillon.store.job.JobListing;
import carillon.store.job.JobReader;
import carillon.store.job.JobSearch;
import carillon.store.job.JobSearch.Criteria;
import carillon.store.job.JobSearch.Hits;
import carillon.store.job.JobStore;
import carillon.store.operation.Statistics;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Handler of {@code GET /jobcollections/{c}/search}: jobs by a part of their names, state and last
 * outcome, with the schedule in words. A page may hold fewer jobs than asked for, or none, although
 * there is a {@code nextLink}: a search looks at so many names and then tells where to go on.
 */
public final class SearchRoute {
  private static final List<String> OUTCOMES = List.of("completed", "failed", "skipped", "none");
  private static final int LONGEST_PART = 128;

  private final JobOperations operations;
  private final JobListing lists;
  private final JobStore jobs;
  private final JobSearch finder;
  private final Statistics figures;
  private final Turns turns = new Turns();

  public SearchRoute(JobOperations operations, Stores stores) {
    this.operations = operations;
    this.lists = stores.lists();
    this.jobs = stores.jobs();
    this.finder = stores.finder();
    this.figures = stores.figures();
  }

  public Future<ApiResponse> search(ApiRequest request) {
    QueryParameters query = request.query();
    Criteria wanted =
        new Criteria(
            query.word("state", words()).map(JobState::ofWord),
            query.shortText("name", LONGEST_PART).orElse(""),
            query.word("lastOutcome", OUTCOMES).orElse(""));
    return isIndexed(wanted)
        ? answer(request, wanted)
        : turns.take(request.http().response()::closed, () -> answer(request, wanted));
  }

  /** Whether an index answers it, without a search. */
  private static boolean isIndexed(Criteria wanted) {
    return wanted.part().isEmpty() && wanted.outcome().isEmpty();
  }

  private Future<ApiResponse> answer(ApiRequest request, Criteria wanted) {
    return operations
        .resolve(request.path().collection())
        .compose(collection -> page(request, collection, wanted));
  }

  private static List<String> words() {
    return Arrays.stream(JobState.values()).map(JobState::word).toList();
  }

  private Future<ApiResponse> page(ApiRequest request, CollectionName collection, Criteria wanted) {
    Future<Optional<Map<JobState, Long>>> counts =
        request.query().after().isEmpty()
            ? figures.jobs(List.of(collection)).map(Optional::of)
            : Future.succeededFuture(Optional.empty());
    return find(request, collection, wanted)
        .compose(found -> page(collection, found))
        .compose(
            page ->
                counts.map(
                    all ->
                        ApiResponse.json(
                            200,
                            SearchWriter.page(
                                page.hits, page.damaged, page.after.map(request::nextLink), all))));
  }

  private record Page(
      List<SearchWriter.Hit> hits, List<DamagedJob> damaged, Optional<String> after) {}

  private Future<Hits> find(ApiRequest request, CollectionName collection, Criteria wanted) {
    QueryParameters query = request.query();
    return isIndexed(wanted)
        ? lists.names(collection, wanted.state(), query.after(), query.top())
        : finder.find(collection, wanted, query.after(), query.top());
  }

  /**
   * Queue of searches: they run one after the other, since each asks Redis for as much as thousands
   * of other requests. A few may wait; the others are refused. Confined to the event loop of the
   * API.
   */
  private static final class Turns {
    private static final int MOST_WAITING = 16;

    /** Status for a client that has gone. */
    private static final int GONE = 503;

    private final Deque<Promise<Void>> waiting = new ArrayDeque<>();
    private boolean isTaken;

    /**
     * Runs the search when its turn comes. Refuses it when too many wait.
     *
     * @param isGone whether the client has gone
     */
    Future<ApiResponse> take(BooleanSupplier isGone, Supplier<Future<ApiResponse>> search) {
      if (!isTaken) {
        isTaken = true;
        return run(search);
      }
      if (waiting.size() == MOST_WAITING) {
        throw HttpException.tooMany(
            "Too many searches are waiting on this node; try again.", Duration.ofSeconds(1));
      }
      Promise<Void> turn = Promise.promise();
      waiting.add(turn);
      return turn.future()
          .compose(
              begun ->
                  run(
                      isGone.getAsBoolean()
                          ? () -> Future.succeededFuture(ApiResponse.empty(GONE))
                          : search));
    }

    private Future<ApiResponse> run(Supplier<Future<ApiResponse>> search) {
      return Future.succeededFuture().compose(begun -> search.get()).onComplete(done -> passOn());
    }

    private void passOn() {
      Promise<Void> next = waiting.poll();
      if (next == null) {
        isTaken = false;
      } else {
        next.complete();
      }
    }
  }

  /** A job that was deleted between the two reads is left out. */
  private Future<Page> page(CollectionName collection, Hits found) {
    List<Future<Optional<Hit>>> reads =
        found.names().stream().map(name -> hit(collection.job(name))).toList();
    return Future.all(reads)
        .map(
            all -> {
              List<Hit> hits = reads.stream().flatMap(read -> read.result().stream()).toList();
              return new Page(
                  hits.stream().flatMap(hit -> hit.readable().stream()).toList(),
                  hits.stream().flatMap(hit -> hit.found.damaged().stream()).toList(),
                  found.after());
            });
  }

  private record Hit(JobReader.Found found, String outcome) {
    Optional<SearchWriter.Hit> readable() {
      return found.job().map(job -> new SearchWriter.Hit(job, outcome));
    }
  }

  private Future<Optional<Hit>> hit(JobName name) {
    Future<String> outcome = finder.lastOutcome(name);
    return jobs.look(name)
        .compose(found -> outcome.map(word -> found.map(one -> new Hit(one, word))));
  }
}
