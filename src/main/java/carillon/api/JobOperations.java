package carillon.api;

import carillon.bus.Messages;
import carillon.codec.Submission;
import carillon.job.Change;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.store.CollectionStore;
import carillon.store.JobStore;
import carillon.store.OpenCollection;
import carillon.store.Places;
import carillon.store.RetiredEpochException;
import carillon.store.Stores;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What clients do to jobs. Each operation first asks for the collection, so that a missing one is
 * told from a missing job, and so that answers carry the collection's name as it was first written.
 */
final class JobOperations {
  /** So often is a change begun again when another one came between; then the client is told. */
  private static final int CHANGE_ATTEMPTS = 5;

  private final JobStore jobs;
  private final CollectionStore collections;
  private final Places places;
  private final EventBus bus;
  private final Intake intake;

  JobOperations(Stores stores, EventBus bus, Intake intake) {
    this.intake = intake;
    this.jobs = stores.jobs();
    this.collections = stores.collections();
    this.places = stores.places();
    this.bus = bus;
  }

  /**
   * Creates or replaces the job. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED, or with
   * CONFLICT when a quota of the collection forbids it.
   */
  Future<JobStore.Put> put(
      JobName name, Submission submission, Precondition condition, Change change) {
    return within(name.collection(), open -> put(open, name, submission, condition, change))
        .onSuccess(put -> announce(put.job(), change.at()));
  }

  private Future<JobStore.Put> put(
      OpenCollection open,
      JobName name,
      Submission submission,
      Precondition condition,
      Change change) {
    Instant now = change.at();
    open.limits().check(submission.definition(), now, open.name());
    JobName job = open.name().job(name.job());
    JobState state = submission.state().orElse(JobState.ENABLED);
    Optional<Instant> next = next(state, submission);
    Supplier<Future<JobStore.Put>> write =
        () ->
            intake
                .admit(job, submission.definition(), () -> stored(job), now)
                .compose(
                    whole -> jobs.put(job, open.epoch(), whole, state, next, condition, change));
    return open.limits().maxJobs().isPresent() ? places.writing(job, write) : write.get();
  }

  /**
   * Everything that {@link #put} does short of storing the job, so that it fails as that would; how
   * many jobs the collection has room for is not counted.
   */
  Future<Void> check(JobName name, Submission submission, Instant now) {
    return collections
        .open(name.collection())
        .compose(
            open -> {
              open.limits().check(submission.definition(), now, open.name());
              JobName job = open.name().job(name.job());
              return intake.admit(job, submission.definition(), () -> stored(job), now);
            })
        .mapEmpty();
  }

  /** With the collection as it is known, and once more when it turns out to be another by now. */
  private <T> Future<T> within(
      CollectionName collection, Function<OpenCollection, Future<T>> operation) {
    return within(collection, operation, CHANGE_ATTEMPTS);
  }

  private <T> Future<T> within(
      CollectionName collection, Function<OpenCollection, Future<T>> operation, int attempts) {
    return collections
        .open(collection)
        .compose(operation)
        .recover(
            failure -> {
              if (!(failure instanceof RetiredEpochException)) {
                return Future.failedFuture(failure);
              }
              collections.forget(collection);
              return attempts > 1
                  ? within(collection, operation, attempts - 1)
                  : Future.failedFuture(changing(collection));
            });
  }

  private static JobException changing(CollectionName collection) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Job collection '" + collection.collection() + "' is being changed all the time.");
  }

  /** Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND. */
  Future<StoredJob> get(JobName name) {
    return resolve(name).compose(jobs::get);
  }

  /** Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND, PRECONDITION_FAILED. */
  Future<Void> delete(JobName name, Precondition condition, Change change) {
    return within(name.collection(), open -> delete(open, name, condition, change));
  }

  private Future<Void> delete(
      OpenCollection open, JobName name, Precondition condition, Change change) {
    JobName job = open.name().job(name.job());
    Supplier<Future<Void>> deletion = () -> jobs.delete(job, open.epoch(), condition, change);
    return open.limits().maxJobs().isPresent() ? places.deleting(job, deletion) : deletion.get();
  }

  /**
   * Gives the job another definition or state. Fails as {@link #get} does, with what {@code patch}
   * throws, CONFLICT (also when a quota of the collection forbids it) or PRECONDITION_FAILED.
   *
   * @param patch makes of the job as it is what it is to be
   */
  Future<StoredJob> patch(
      JobName name, Function<StoredJob, Submission> patch, Precondition condition, Change by) {
    return change(
        name,
        condition,
        by,
        (open, current) -> {
          Submission submission = patch.apply(current);
          open.limits().check(submission.definition(), current.created(), open.name());
          JobState state = submission.state().orElse(current.state());
          Optional<Instant> next = next(state, submission);
          Optional<JobDefinition> old = Optional.of(current.definition());
          return intake
              .admit(
                  current.name(),
                  submission.definition(),
                  () -> Future.succeededFuture(old),
                  by.at())
              .compose(whole -> jobs.change(current, open.epoch(), whole, state, next, by));
        });
  }

  private Future<Optional<JobDefinition>> stored(JobName name) {
    return jobs.find(name).map(found -> found.map(StoredJob::definition));
  }

  /** Ends a pause; the next occurrence is computed anew. Fails as {@link #patch} does. */
  Future<StoredJob> enable(JobName name, Precondition condition, Change by) {
    return change(
        name,
        condition,
        by,
        (open, current) -> {
          if (current.state() == JobState.ENABLED) {
            return Future.succeededFuture(current);
          }
          Instant next = nextAfterPause(current, by.at());
          return jobs.change(
              current, open.epoch(), current.definition(), JobState.ENABLED, Optional.of(next), by);
        });
  }

  private static Instant nextAfterPause(StoredJob job, Instant now) {
    return job.definition()
        .timetable(job.created())
        .first(now)
        .filter(next -> !job.definition().isBeyondCount(job.occurrence()))
        .orElseThrow(
            () ->
                new JobException(
                    ErrorCode.CONFLICT,
                    "Job '"
                        + job.name().job()
                        + "' has no occurrence left; change its recurrence."));
  }

  /** Pauses the job. Fails as {@link #patch} does. */
  Future<StoredJob> disable(JobName name, Precondition condition, Change by) {
    return change(
        name,
        condition,
        by,
        (open, current) ->
            current.state() == JobState.DISABLED
                ? Future.succeededFuture(current)
                : jobs.change(
                    current,
                    open.epoch(),
                    current.definition(),
                    JobState.DISABLED,
                    Optional.empty(),
                    by));
  }

  /**
   * Lets the job run once, now, whatever its schedule. Fails as {@link #get} does, or with
   * CONFLICT.
   */
  Future<Void> run(JobName name, Change by) {
    Instant now = by.at();
    return resolve(name)
        .compose(job -> jobs.run(job, by).onSuccess(done -> announce(job, now, now)));
  }

  /** The job under its collection's own name. Fails with COLLECTION_NOT_FOUND. */
  Future<JobName> resolve(JobName name) {
    return resolve(name.collection()).map(collection -> collection.job(name.job()));
  }

  /** Fails with COLLECTION_NOT_FOUND; for lists. */
  Future<CollectionName> resolve(CollectionName name) {
    return collections.open(name).map(OpenCollection::name);
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      Change by,
      BiFunction<OpenCollection, StoredJob, Future<StoredJob>> change) {
    return within(
            name.collection(),
            open ->
                change(
                    open.name().job(name.job()),
                    condition,
                    current -> change.apply(open, current),
                    CHANGE_ATTEMPTS))
        .onSuccess(job -> announce(job, by.at()));
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      Function<StoredJob, Future<StoredJob>> change,
      int attempts) {
    return jobs.get(name)
        .compose(
            current -> {
              Conditions.check(condition, current.revision(), "Job '" + name.job() + "'");
              refuseFinal(current);
              return change.apply(current);
            })
        .recover(
            failure ->
                condition.equals(Precondition.NONE) && attempts > 1 && isOvertaken(failure)
                    ? change(name, condition, change, attempts - 1)
                    : Future.failedFuture(failure));
  }

  static boolean isOvertaken(Throwable failure) {
    return failure instanceof JobException refusal
        && refusal.code() == ErrorCode.PRECONDITION_FAILED;
  }

  private static void refuseFinal(StoredJob job) {
    if (job.state().isFinal()) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "Job '"
              + job.name().job()
              + "' is "
              + job.state().word()
              + " and cannot be changed; PUT it again.");
    }
  }

  private static Optional<Instant> next(JobState state, Submission submission) {
    return state == JobState.ENABLED ? Optional.of(submission.first()) : Optional.empty();
  }

  private void announce(StoredJob job, Instant now) {
    job.next().ifPresent(next -> announce(job.name(), next, now));
  }

  /** A hint; a lost one costs latency, never an execution. */
  private void announce(JobName name, Instant at, Instant now) {
    Messages.look(bus, () -> jobs.partition(name), at, now);
  }
}
