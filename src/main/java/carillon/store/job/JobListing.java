package carillon.store.job;

import carillon.config.Settings.HistorySettings;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.Attempt.Phase;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.attempt.HistoryItem;
import carillon.job.attempt.HistoryMark;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.job.name.NameRules;
import carillon.json.StoredJson;
import carillon.json.view.HistoryMarkCodec;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Pages of jobs and of their histories. A page of jobs costs one bounded range read in every
 * partition, at any position in the collection, and one read for each job shown. Confined to the
 * event loop of its link.
 */
public final class JobListing {
  private static final Script<Response> READ_HISTORY =
      Script.returning("read_history", Function.identity());

  private static final Script<List<String>> RECENT =
      Script.returning("recent_attempts", found -> found.stream().map(Response::toString).toList());

  private static final Script<SinceFailure> SINCE_FAILURE =
      Script.returningWord("since_failure", SinceFailure.class);

  /** Number of newest entries among which the last attempt of a job's action is searched. */
  private static final int NEWEST = 10;

  /** Limit that makes read_history return all entries. */
  private static final int ALL = 0;

  private final RedisLink link;
  private final Keys keys;
  private final JobReader jobs;
  private final JobSearch finder;
  private final OrderedJobs ordered;
  private final HistorySettings history;
  private final InstantSource clock;

  public JobListing(
      RedisLink link,
      Keys keys,
      JobReader jobs,
      JobSearch finder,
      HistorySettings history,
      InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.jobs = jobs;
    this.finder = finder;
    this.ordered = new OrderedJobs(link, keys, finder);
    this.history = history;
    this.clock = clock;
  }

  /** State of a job that failed. */
  public enum SinceFailure {
    /** The newest attempt of its action failed. */
    FAILING,
    /** The newest attempt of its action succeeded. */
    RECOVERED,
    /** The job was deleted. A job of the same name without a history is another job. */
    GONE
  }

  /**
   * A page of jobs, in the order of their folded names or in another one.
   *
   * @param damaged jobs of the page that cannot be read
   * @param after name or token of the next page, if there is one
   */
  public record Page(List<StoredJob> jobs, List<DamagedJob> damaged, Optional<String> after) {}

  /**
   * Returns a page of the jobs of a collection. Labels need a search. Such a page may have fewer
   * jobs than {@code top} although more follow.
   *
   * @param state only jobs in this state
   * @param labels required labels, with their values
   * @param after folded name after which to begin, empty text for the beginning
   * @param skip number of jobs to leave out first, with the same cost for any number; 0 if there
   *     are labels
   * @param top maximum number of jobs on the page, 1..256
   */
  public Future<Page> list(
      CollectionName collection,
      Optional<JobState> state,
      Map<String, String> labels,
      String after,
      int skip,
      int top) {
    return labels.isEmpty()
        ? list(collection, state, after, skip, top)
        : finder
            .find(collection, new JobSearch.Criteria(state, "", "", "", labels), after, top)
            .compose(hits -> page(collection, hits));
  }

  private Future<Page> list(
      CollectionName collection, Optional<JobState> state, String after, int skip, int top) {
    MergedNames names = search(collection, state);
    return skip == 0
        ? page(collection, names, after, top)
        : names
            .skip(after, skip)
            .compose(
                last ->
                    last.isEmpty()
                        ? Future.succeededFuture(new Page(List.of(), List.of(), Optional.empty()))
                        : page(collection, names, last.get(), top));
  }

  /**
   * Returns a page of the jobs of a collection in another order than by name; see {@link
   * OrderedJobs#page}.
   */
  public Future<Page> list(
      CollectionName collection,
      JobSearch.Criteria wanted,
      JobOrder order,
      String after,
      int skip,
      int top) {
    return names(collection, wanted, order, after, skip, top)
        .compose(page -> page(collection, page.hits()));
  }

  /** Returns only the names, in another order; see {@link OrderedJobs#page}. */
  public Future<OrderedJobs.Page> names(
      CollectionName collection,
      JobSearch.Criteria wanted,
      JobOrder order,
      String after,
      int skip,
      int top) {
    return ordered.page(collection, wanted, order, after, skip, top);
  }

  /**
   * Returns only the names, in order.
   *
   * @param prefix beginning of the names, folded; empty text for any
   */
  public Future<JobSearch.Hits> names(
      CollectionName collection, Optional<JobState> state, String prefix, String after, int top) {
    String begin = after.isEmpty() && !prefix.isEmpty() ? NameRules.justBefore(prefix) : after;
    return search(collection, state).after(begin, top + 1).map(names -> hits(names, prefix, top));
  }

  /** Returns how many jobs match; only for criteria that an index answers. */
  public Future<Long> count(CollectionName collection, JobSearch.Criteria wanted) {
    return search(collection, wanted.state()).count(wanted.begin(), wanted.end());
  }

  private static JobSearch.Hits hits(List<String> names, String prefix, int top) {
    List<String> found = names.stream().takeWhile(name -> name.startsWith(prefix)).toList();
    return found.size() > top
        ? new JobSearch.Hits(found.subList(0, top), Optional.of(found.get(top - 1)))
        : new JobSearch.Hits(found, Optional.empty());
  }

  private MergedNames search(CollectionName collection, Optional<JobState> state) {
    return new MergedNames(
        link, keys, collection, state.map(one -> List.of(one.word())).orElse(NameSlice.ALL_STATES));
  }

  private Future<Page> page(CollectionName collection, MergedNames search, String after, int top) {
    return search.after(after, top + 1).compose(names -> page(collection, hits(names, "", top)));
  }

  private Future<Page> page(CollectionName collection, JobSearch.Hits hits) {
    List<Future<Optional<JobReader.Found>>> reads =
        hits.names().stream().map(name -> jobs.look(new JobName(collection, name))).toList();
    return Future.all(reads)
        .map(all -> page(reads.stream().map(Future::result).toList(), hits.after()));
  }

  /** Returns the page. Leaves out a job that was deleted between the two reads. */
  private static Page page(List<Optional<JobReader.Found>> reads, Optional<String> after) {
    List<JobReader.Found> found = reads.stream().flatMap(Optional::stream).toList();
    return new Page(
        found.stream().flatMap(one -> one.job().stream()).toList(),
        found.stream().flatMap(one -> one.damaged().stream()).toList(),
        after);
  }

  /**
   * Returns the history, newest first. Leaves out entries that are older than the bound or cannot
   * be read. Fails with JOB_NOT_FOUND.
   */
  public Future<List<HistoryEntry>> history(JobName name, HistoryFilter filter, int skip, int top) {
    int limit = limit(filter, skip, top);
    return history(name, limit)
        .compose(
            texts -> {
              List<HistoryEntry> readable = readable(texts);
              return readable.size() == texts.size() || limit == ALL
                  ? Future.succeededFuture(readable)
                  : history(name, ALL).map(JobListing::readable);
            })
        .map(readable -> page(readable, filter, skip, top));
  }

  /** Returns entries and marks, newest first, like {@link #history} for the entries alone. */
  public Future<List<HistoryItem>> historyWithMarks(
      JobName name, HistoryFilter filter, int skip, int top) {
    int upto = (int) Math.min(Integer.MAX_VALUE, (long) skip + top);
    return history(name, filter, 0, upto)
        .compose(
            entries ->
                storedMarks(name)
                    .map(
                        marks ->
                            HistoryMarkCodec.merged(
                                    entries, marks.stream().filter(filter::matches).toList())
                                .skip(skip)
                                .limit(top)
                                .toList()));
  }

  /**
   * Returns the marks of a job, newest first. Leaves out marks older than the bound. Fails with
   * JOB_NOT_FOUND.
   */
  public Future<List<HistoryMark>> marks(JobName name) {
    return history(name, 1).compose(found -> storedMarks(name));
  }

  private Future<List<HistoryMark>> storedMarks(JobName name) {
    String hash = keys.job(keys.partition(name.key()), name.key());
    Instant oldest = clock.instant().minus(history.age());
    return link.send(Request.cmd(Command.HGET).arg(hash).arg(HistoryMarkCodec.FIELD))
        .map(stored -> HistoryMarkCodec.read(Objects.toString(stored, "")))
        .map(marks -> marks.stream().filter(mark -> !mark.at().isBefore(oldest)).toList());
  }

  /**
   * Returns summaries of the newest attempts, newest first. Leaves out entries that are older than
   * the bound or cannot be read.
   *
   * @param top number of history entries to read, 1..32
   */
  public Future<List<HistoryEntry.Summary>> recent(JobName name, int top) {
    String job = name.key();
    int partition = keys.partition(job);
    Instant oldest = clock.instant().minus(history.age());
    return RECENT
        .on(link)
        .key("job", keys.job(partition, job))
        .key("history", keys.history(partition, job))
        .arg("limit", top)
        .run()
        .map(
            texts ->
                IntStream.range(0, texts.size() / 3)
                    .mapToObj(i -> texts.subList(3 * i, 3 * i + 3))
                    .flatMap(
                        three ->
                            StoredJson.findSummary(three.get(0), three.get(1), three.get(2))
                                .stream())
                    .filter(one -> !one.end().isBefore(oldest))
                    .toList());
  }

  /**
   * Returns the state of a job that failed. Success of an error action does not count as success of
   * its job, and a skipped occurrence does not count as an attempt.
   */
  public Future<SinceFailure> sinceFailure(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    return SINCE_FAILURE
        .on(link)
        .key("job", keys.job(partition, job))
        .key("history", keys.history(partition, job))
        .key("epochs", keys.epochs(partition))
        .arg("key", job)
        .arg("limit", NEWEST)
        .run();
  }

  /**
   * Returns the nominal instant of the last execution before this one that had completed when this
   * one began. Empty if the history that is kept has none. Fails with JOB_NOT_FOUND.
   */
  public Future<Optional<Instant>> lastSuccess(JobName name, Attempt attempt) {
    return history(name, attempt.isFirst() ? NEWEST : ALL)
        .map(texts -> lastSuccess(readable(texts), attempt))
        .compose(
            found ->
                found.isPresent() || !attempt.isFirst()
                    ? Future.succeededFuture(found)
                    : history(name, ALL).map(texts -> lastSuccess(readable(texts), attempt)));
  }

  private static Optional<Instant> lastSuccess(List<HistoryEntry> entries, Attempt attempt) {
    String execution = attempt.executionId();
    Instant begun =
        entries.stream()
            .filter(entry -> entry.execution().equals(execution))
            .map(HistoryEntry::start)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return entries.stream()
        .filter(
            entry ->
                entry.phase() == Phase.MAIN
                    && entry.status() == Status.COMPLETED
                    && entry.dueAt().isBefore(attempt.dueAt())
                    && !entry.end().isAfter(begun))
        .map(HistoryEntry::dueAt)
        .max(Comparator.naturalOrder());
  }

  /** Returns the stored texts, newest first. */
  private Future<List<String>> history(JobName name, int limit) {
    String job = name.key();
    int partition = keys.partition(job);
    return READ_HISTORY
        .on(link)
        .key("job", keys.job(partition, job))
        .key("history", keys.history(partition, job))
        .key("epochs", keys.epochs(partition))
        .arg("key", job)
        .arg("limit", limit)
        .run()
        .map(
            found -> {
              if (found.size() == 0) {
                throw JobReader.notFound(name);
              }
              return found.get(0).stream().map(Objects::toString).toList();
            });
  }

  /**
   * Returns how many entries to read. Without a filter, the read ends with the page. With a filter,
   * it covers the whole history, which is bounded.
   */
  private static int limit(HistoryFilter filter, int skip, int top) {
    return filter.isAll() ? skip + top : ALL;
  }

  private static List<HistoryEntry> readable(List<String> texts) {
    return texts.stream().flatMap(text -> StoredJson.findHistory(text).stream()).toList();
  }

  private List<HistoryEntry> page(
      List<HistoryEntry> entries, HistoryFilter filter, int skip, int top) {
    return entries.stream()
        .filter(entry -> !entry.end().isBefore(clock.instant().minus(history.age())))
        .filter(filter::matches)
        .skip(skip)
        .limit(top)
        .toList();
  }
}
