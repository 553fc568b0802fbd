package carillon.api;

import carillon.job.Change;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.store.JobLists;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/** What clients do to all jobs of a collection at once. */
final class AllJobs {
  /** How many jobs are changed side by side. */
  private static final int SIDE_BY_SIDE = 100;

  private final JobOperations jobs;
  private final JobLists lists;

  AllJobs(JobOperations jobs, JobLists lists) {
    this.jobs = jobs;
    this.lists = lists;
  }

  /**
   * Enables or disables every job of the collection that can be, a hundred at a time, in the order
   * of their names: completed and faulted ones stay as they are, and so does a disabled one without
   * an occurrence left. What is created meanwhile may be missed. After a failure some jobs are
   * changed and others not; to repeat it ends the work. Fails with COLLECTION_NOT_FOUND.
   *
   * @param state ENABLED or DISABLED
   */
  Future<Void> setState(CollectionName collection, JobState state, Change by) {
    return jobs.resolve(collection)
        .compose(
            known ->
                each(known, Optional.of(opposite(state)), "", job -> setState(job, state, by)));
  }

  /** One that is gone, final or without occurrences by now is left alone. */
  private Future<StoredJob> setState(StoredJob job, JobState state, Change by) {
    Future<StoredJob> changed =
        state == JobState.ENABLED
            ? jobs.enable(job.name(), Precondition.NONE, by)
            : jobs.disable(job.name(), Precondition.NONE, by);
    return changed.recover(
        failure ->
            failure instanceof JobException refusal
                    && (refusal.code() == ErrorCode.JOB_NOT_FOUND
                        || refusal.code() == ErrorCode.CONFLICT)
                ? Future.succeededFuture(job)
                : Future.failedFuture(failure));
  }

  /**
   * Deletes every job of the collection, a hundred at a time, in the order of their names. What is
   * created meanwhile may be missed. After a failure some jobs are gone and others not; to repeat
   * it ends the work. Fails with COLLECTION_NOT_FOUND.
   */
  Future<Void> delete(CollectionName collection, Change by) {
    return jobs.resolve(collection)
        .compose(known -> each(known, Optional.empty(), "", job -> deleteIfThere(job, by)));
  }

  private Future<Void> deleteIfThere(StoredJob job, Change by) {
    return jobs.delete(job.name(), Precondition.NONE, by)
        .recover(
            failure ->
                failure instanceof JobException refusal && refusal.code() == ErrorCode.JOB_NOT_FOUND
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private static JobState opposite(JobState state) {
    return state == JobState.ENABLED ? JobState.DISABLED : JobState.ENABLED;
  }

  private Future<Void> each(
      CollectionName collection,
      Optional<JobState> state,
      String after,
      Function<StoredJob, Future<?>> step) {
    return lists
        .list(collection, state, after, 0, SIDE_BY_SIDE)
        .compose(
            page ->
                Future.join(page.jobs().stream().map(step).toList())
                    .compose(
                        done ->
                            page.after().isEmpty()
                                ? Future.succeededFuture()
                                : each(collection, state, page.after().get(), step)));
  }
}
