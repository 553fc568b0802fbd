package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.QueryParameters.JobFilter;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.store.job.JobListing;
import carillon.store.job.JobSearch.Criteria;
import io.vertx.core.Future;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/** Operations on all jobs of a collection. */
public final class BulkJobOperations {
  private static final int MAX_CONCURRENT_CHANGES = 100;

  /** Maximum number of jobs that one request changes: their changes take some ten seconds. */
  private static final int MAX_CHANGES = 10_000;

  private static final int MAX_PAGE = 256;

  private final JobOperations jobs;
  private final JobChanges changes;
  private final JobListing lists;

  public BulkJobOperations(JobOperations jobs, JobListing lists) {
    this.jobs = jobs;
    this.changes = jobs.changes();
    this.lists = lists;
  }

  /**
   * Enables or disables the jobs of the collection, a hundred at a time, in the order of their
   * names. Completed and faulted jobs stay as they are, and so do disabled jobs without another
   * occurrence. Jobs that are created in the meantime may be missed. After a failure some jobs are
   * changed and others are not; a repeat finishes the work. Fails with COLLECTION_NOT_FOUND, and
   * with TOO_MANY_CHANGES before anything is changed.
   *
   * @param labels that a job must have, with these values
   * @param state ENABLED or DISABLED
   */
  Future<Void> setState(
      CollectionName collection, Map<String, String> labels, JobState state, AuditContext context) {
    JobFilter filter = new JobFilter(Optional.of(opposite(state)), labels);
    return jobs.resolve(collection)
        .compose(known -> changing(known, filter, job -> setState(job, state, context)));
  }

  /** Skips a job that is by now deleted, final, damaged or without occurrences. */
  private Future<?> setState(JobName job, JobState state, AuditContext context) {
    Future<StoredJob> changed =
        state == JobState.ENABLED
            ? changes.enable(job, Precondition.NONE, context)
            : changes.disable(job, PauseOptions.NONE, Precondition.NONE, context);
    return changed.recover(BulkJobOperations::skipped);
  }

  /** Skips a job that does not allow the change; other failures end the work. */
  private static <T> Future<T> skipped(Throwable failure) {
    return failure instanceof JobException refusal
            && (refusal.code() == ErrorCode.JOB_NOT_FOUND
                || refusal.code() == ErrorCode.JOB_DAMAGED
                || refusal.code() == ErrorCode.CONFLICT)
        ? Future.succeededFuture()
        : Future.failedFuture(failure);
  }

  /**
   * Runs every matching one-time job of the collection again, like the changes of {@link
   * #setState}. Fails like that method.
   *
   * @param filter with the state COMPLETED or FAULTED
   * @return how many
   */
  Future<Integer> retry(CollectionName collection, JobFilter filter, AuditContext context) {
    AtomicInteger retried = new AtomicInteger();
    return jobs.resolve(collection)
        .compose(
            known ->
                changing(
                    known,
                    filter,
                    job ->
                        changes
                            .retry(job, Precondition.NONE, context)
                            .onSuccess(done -> retried.incrementAndGet())
                            .recover(BulkJobOperations::skipped)))
        .map(done -> retried.get());
  }

  /**
   * Deletes every job of the collection, a hundred at a time, in the order of their names. Jobs
   * that are created in the meantime may be missed. After a failure some jobs are gone and others
   * are not; a repeat finishes the work. Fails with COLLECTION_NOT_FOUND, and with TOO_MANY_CHANGES
   * before anything is deleted.
   */
  public Future<Void> delete(CollectionName collection, AuditContext context) {
    return jobs.resolve(collection)
        .compose(known -> changing(known, JobFilter.ALL, job -> deleteIfThere(job, context)));
  }

  private Future<Void> deleteIfThere(JobName job, AuditContext context) {
    return jobs.delete(job, Precondition.NONE, context)
        .recover(
            failure ->
                failure instanceof JobException refusal && refusal.code() == ErrorCode.JOB_NOT_FOUND
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private static JobState opposite(JobState state) {
    return state == JobState.ENABLED ? JobState.DISABLED : JobState.ENABLED;
  }

  /** Changes all jobs that match the filter, or none if there are too many. */
  private Future<Void> changing(
      CollectionName collection, JobFilter filter, Function<JobName, Future<?>> step) {
    return requireFew(collection, filter).compose(few -> each(collection, filter, "", step));
  }

  /** Counts by the index of states first. Examines labels only if that count is too high. */
  private Future<Void> requireFew(CollectionName collection, JobFilter filter) {
    return lists
        .count(collection, new Criteria(filter.state(), "", "", "", Map.of()))
        .compose(
            jobs ->
                jobs <= MAX_CHANGES
                    ? Future.succeededFuture()
                    : filter.labels().isEmpty()
                        ? Future.failedFuture(tooMany(collection, jobs))
                        : requireFew(collection, filter, "", 0));
  }

  private Future<Void> requireFew(
      CollectionName collection, JobFilter filter, String after, long counted) {
    return lists
        .list(collection, filter.state(), filter.labels(), after, 0, MAX_PAGE)
        .compose(
            page -> {
              long jobs = counted + names(page).count();
              if (jobs > MAX_CHANGES) {
                return Future.failedFuture(tooMany(collection, jobs));
              }
              return page.after().isEmpty()
                  ? Future.succeededFuture()
                  : requireFew(collection, filter, page.after().get(), jobs);
            });
  }

  private static JobException tooMany(CollectionName collection, long jobs) {
    return new JobException(
        ErrorCode.TOO_MANY_CHANGES,
        String.format(
            Locale.ROOT,
            "This would change %,d jobs or more of job collection '%s', a request changes %,d at"
                + " most; nothing is changed. Narrow it by labels in $filter, or change jobs one by"
                + " one. To stop all calls disable the collection; to remove all jobs delete it.",
            jobs,
            collection.collection(),
            MAX_CHANGES));
  }

  private Future<Void> each(
      CollectionName collection,
      JobFilter filter,
      String after,
      Function<JobName, Future<?>> step) {
    return lists
        .list(collection, filter.state(), filter.labels(), after, 0, MAX_CONCURRENT_CHANGES)
        .compose(
            page ->
                Future.join(names(page).map(step).toList())
                    .compose(
                        done ->
                            page.after().isEmpty()
                                ? Future.succeededFuture()
                                : each(collection, filter, page.after().get(), step)));
  }

  private static Stream<JobName> names(JobListing.Page page) {
    return Stream.concat(
        page.jobs().stream().map(StoredJob::name), page.damaged().stream().map(DamagedJob::name));
  }
}
