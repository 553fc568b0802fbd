package carillon.api.jobs;

import carillon.api.http.ApiRequest;
import carillon.api.http.ApiResponse;
import carillon.api.http.CallerTurns;
import carillon.api.http.QueryParameters;
import carillon.api.http.QueryParameters.JobFilter;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.Hold.Holds;
import carillon.job.name.CollectionName;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.view.SearchWriter;
import carillon.store.Stores;
import carillon.store.collection.HoldReader;
import carillon.store.job.JobListing;
import carillon.store.job.JobOrder;
import carillon.store.job.JobReader;
import carillon.store.job.JobSearch;
import carillon.store.job.JobSearch.Criteria;
import carillon.store.job.JobSearch.Hits;
import carillon.store.operation.Statistics;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Handlers of {@code GET /jobcollections/{c}/search} and {@code GET /search}. They find jobs of a
 * collection or of a group by a part of their names, state, last outcome and labels. Answers have
 * the schedule in words, and are sorted by name or in another order. A page with a {@code nextLink}
 * may hold few jobs or none, because a search examines a limited number of names before it stops.
 */
public final class SearchRoute {
  private static final List<String> OUTCOMES = List.of("completed", "failed", "skipped", "none");
  private static final int MAX_PART_LENGTH = 128;

  /** Maximum number of attempts of each job on a page. */
  private static final int MAX_RECENT = 32;

  private final JobOperations operations;
  private final JobListing listing;
  private final JobReader jobs;
  private final HoldReader holds;
  private final JobSearch finder;
  private final GroupSearch group;
  private final Statistics figures;
  private final CallerTurns lists;
  private final CallerTurns searches;

  /**
   * @param lists turns of searches by an index, which cost as much as lists
   * @param searches turns of searches without an index
   */
  public SearchRoute(
      JobOperations operations, Stores stores, CallerTurns lists, CallerTurns searches) {
    this.lists = lists;
    this.searches = searches;
    this.operations = operations;
    this.listing = stores.job().jobListing();
    this.jobs = stores.job().reader();
    this.holds = stores.collection().holds();
    this.finder = stores.job().jobSearch();
    this.group = new GroupSearch(stores.collection().collections(), listing, finder);
    this.figures = stores.operation().statistics();
  }

  /** Answers a page. */
  public Future<ApiResponse> search(ApiRequest request) {
    Criteria wanted = criteria(request.query());
    Optional<JobOrder> order = request.query().order().flatMap(JobOrder::parse);
    CallerTurns turns = wanted.isIndexed() && order.isEmpty() ? lists : searches;
    return turns.take(request, () -> answer(request, wanted, order));
  }

  /** Answers a page of jobs of all collections of the group that the caller may read. */
  public Future<ApiResponse> searchGroup(ApiRequest request) {
    QueryParameters query = request.query();
    Criteria wanted = criteria(query);
    int recent = query.count("recent", MAX_RECENT);
    return searches.take(
        request,
        () ->
            group
                .find(request.visible(), wanted, query.after(), query.top())
                .compose(
                    found ->
                        read(found.jobs(), recent)
                            .map(
                                jobs ->
                                    ApiResponse.json(
                                        200,
                                        SearchWriter.groupPage(
                                            jobs.hits,
                                            jobs.damaged,
                                            found.after().map(request::nextLink))))));
  }

  private static Criteria criteria(QueryParameters query) {
    JobFilter filter = query.jobFilter();
    Criteria wanted =
        new Criteria(
            state(query, filter),
            query.shortText("prefix", MAX_PART_LENGTH).orElse(""),
            query.shortText("name", MAX_PART_LENGTH).orElse(""),
            query.word("lastOutcome", OUTCOMES).orElse(""),
            filter.labels());
    if (!wanted.prefix().isEmpty() && !wanted.isIndexed()) {
      throw JobException.invalid(
          "prefix: must not stand beside name or lastOutcome, nor beside labels");
    }
    return wanted;
  }

  private static Optional<JobState> state(QueryParameters query, JobFilter filter) {
    Optional<JobState> state = query.word("state", words()).map(JobState::ofWord);
    if (state.isPresent() && filter.state().isPresent()) {
      throw JobException.invalid("state: must not stand beside a state in $filter");
    }
    return state.or(filter::state);
  }

  private Future<ApiResponse> answer(
      ApiRequest request, Criteria wanted, Optional<JobOrder> order) {
    return operations
        .resolve(request.path().collection())
        .compose(collection -> page(request, collection, wanted, order));
  }

  private static List<String> words() {
    return Arrays.stream(JobState.values()).map(JobState::word).toList();
  }

  private Future<ApiResponse> page(
      ApiRequest request, CollectionName collection, Criteria wanted, Optional<JobOrder> order) {
    QueryParameters query = request.query();
    Future<Optional<Map<JobState, Long>>> counts =
        query.after().isEmpty()
            ? figures.jobs(List.of(collection)).map(Optional::of)
            : Future.succeededFuture(Optional.empty());
    int recent = query.count("recent", MAX_RECENT);
    return find(query, collection, wanted, order, counts)
        .compose(
            found ->
                read(found.hits.names().stream().map(collection::job).toList(), recent)
                    .compose(
                        jobs ->
                            counts.map(
                                all ->
                                    ApiResponse.json(
                                        200,
                                        SearchWriter.page(
                                            jobs.hits,
                                            jobs.damaged,
                                            found.hits.after().map(request::nextLink),
                                            all,
                                            found.total)))));
  }

  /**
   * Names that were found.
   *
   * @param total number of matching jobs; empty if they were not counted
   */
  private record FoundNames(Hits hits, Optional<Long> total) {}

  private Future<FoundNames> find(
      QueryParameters query,
      CollectionName collection,
      Criteria wanted,
      Optional<JobOrder> order,
      Future<Optional<Map<JobState, Long>>> counts) {
    if (order.isPresent()) {
      return listing
          .names(collection, wanted, order.get(), query.after(), 0, query.top())
          .map(page -> new FoundNames(page.hits(), Optional.of(page.total())));
    }
    return wanted.isIndexed()
        ? read(query, collection, wanted, counts)
        : finder
            .find(collection, wanted, query.afterName(), query.top())
            .map(hits -> new FoundNames(hits, Optional.empty()));
  }

  /** Reads names from an index; the first page has the total. */
  private Future<FoundNames> read(
      QueryParameters query,
      CollectionName collection,
      Criteria wanted,
      Future<Optional<Map<JobState, Long>>> counts) {
    String after = query.afterName();
    Future<Optional<Long>> total =
        wanted.prefix().isEmpty() || !after.isEmpty()
            ? counts.map(all -> all.map(states -> total(states, wanted.state())))
            : listing.count(collection, wanted).map(Optional::of);
    return listing
        .names(collection, wanted.state(), wanted.prefix(), after, query.top())
        .compose(hits -> total.map(counted -> new FoundNames(hits, counted)));
  }

  private static long total(Map<JobState, Long> counts, Optional<JobState> state) {
    return state
        .map(counts::get)
        .orElseGet(() -> counts.values().stream().mapToLong(Long::longValue).sum());
  }

  /**
   * Jobs of a page.
   *
   * @param damaged those that cannot be read
   */
  private record ReadJobs(List<SearchWriter.Hit> hits, List<DamagedJob> damaged) {}

  /** A job that was deleted between the two reads is left out. */
  private Future<ReadJobs> read(List<JobName> names, int recent) {
    List<Future<Optional<Candidate>>> reads =
        names.stream().map(name -> candidate(name, recent)).toList();
    Future<Holds> waits = holds.of(names.stream().map(JobName::collection).toList());
    return Future.all(Future.all(reads), waits)
        .map(
            all -> {
              List<Candidate> found =
                  reads.stream().flatMap(read -> read.result().stream()).toList();
              return new ReadJobs(
                  found.stream()
                      .flatMap(candidate -> candidate.readable(waits.result()).stream())
                      .toList(),
                  found.stream().flatMap(candidate -> candidate.found.damaged().stream()).toList());
            });
  }

  private record Candidate(
      JobReader.Found found, String outcome, Optional<List<HistoryEntry.Summary>> recent) {
    Optional<SearchWriter.Hit> readable(Holds holds) {
      return found.job().map(job -> new SearchWriter.Hit(job, outcome, recent, holds));
    }
  }

  /** All reads leave in one packet. */
  private Future<Optional<Candidate>> candidate(JobName name, int recent) {
    Future<String> outcome = finder.lastOutcome(name);
    Future<Optional<List<HistoryEntry.Summary>>> attempts =
        recent == 0
            ? Future.succeededFuture(Optional.empty())
            : listing.recent(name, recent).map(Optional::of);
    Future<Optional<JobReader.Found>> found = jobs.look(name);
    return Future.all(outcome, attempts, found)
        .map(
            all ->
                found.result().map(one -> new Candidate(one, outcome.result(), attempts.result())));
  }
}
