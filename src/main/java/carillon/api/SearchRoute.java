package carillon.api;

import carillon.codec.SearchWriter;
import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.store.Figures;
import carillon.store.JobFinder;
import carillon.store.JobFinder.Found;
import carillon.store.JobFinder.Wanted;
import carillon.store.JobLists;
import carillon.store.JobStore;
import carillon.store.Stores;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /jobcollections/{c}/search}: jobs by a part of their names, state and last outcome,
 * with the schedule in words. A page may hold fewer jobs than asked for, or none, although there is
 * a {@code nextLink}: a search looks at so many names and then tells where to go on.
 */
final class SearchRoute {
  private static final List<String> OUTCOMES = List.of("completed", "failed", "skipped", "none");
  private static final int LONGEST_PART = 128;

  private final JobOperations operations;
  private final JobLists lists;
  private final JobStore jobs;
  private final JobFinder finder;
  private final Figures figures;
  private final SearchWriter writer = new SearchWriter();

  SearchRoute(JobOperations operations, Stores stores) {
    this.operations = operations;
    this.lists = stores.lists();
    this.jobs = stores.jobs();
    this.finder = stores.finder();
    this.figures = stores.figures();
  }

  Future<Answer> search(ApiRequest request) {
    if (!request.method().equals("GET")) {
      throw request.notAllowed("GET");
    }
    Query query = request.query();
    Wanted wanted =
        new Wanted(
            query.word("state", words()).map(JobState::ofWord),
            query.shortText("name", LONGEST_PART).orElse(""),
            query.word("lastOutcome", OUTCOMES).orElse(""));
    return operations
        .resolve(request.path().collection())
        .compose(collection -> page(request, collection, wanted));
  }

  private static List<String> words() {
    return Arrays.stream(JobState.values()).map(JobState::word).toList();
  }

  private Future<Answer> page(ApiRequest request, CollectionName collection, Wanted wanted) {
    Future<Optional<Map<JobState, Long>>> counts =
        request.query().after().isEmpty()
            ? figures.jobs(List.of(collection)).map(Optional::of)
            : Future.succeededFuture(Optional.empty());
    return find(collection, wanted, request.query())
        .compose(found -> hits(collection, found).map(hits -> new Page(hits, found.after())))
        .compose(
            page ->
                counts.map(
                    all ->
                        Answer.json(
                            200, writer.page(page.hits, page.after.map(request::nextLink), all))));
  }

  private record Page(List<SearchWriter.Hit> hits, Optional<String> after) {}

  /** What is indexed is not searched for. */
  private Future<Found> find(CollectionName collection, Wanted wanted, Query query) {
    return wanted.part().isEmpty() && wanted.outcome().isEmpty()
        ? lists.names(collection, wanted.state(), query.after(), query.top())
        : finder.find(collection, wanted, query.after(), query.top());
  }

  /** A job that was deleted between the two reads is left out. */
  private Future<List<SearchWriter.Hit>> hits(CollectionName collection, Found found) {
    List<Future<Optional<SearchWriter.Hit>>> hits =
        found.names().stream().map(name -> hit(collection.job(name))).toList();
    return Future.all(hits)
        .map(all -> hits.stream().flatMap(hit -> hit.result().stream()).toList());
  }

  private Future<Optional<SearchWriter.Hit>> hit(JobName name) {
    Future<String> outcome = finder.lastOutcome(name);
    return jobs.find(name)
        .compose(found -> outcome.map(word -> found.map(job -> new SearchWriter.Hit(job, word))));
  }
}
