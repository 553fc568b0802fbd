package carillon.api.jobs;

import carillon.api.http.EtagPreconditions;
import carillon.bus.Messages;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.JobVersion;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.json.JobCodec.JobSubmission;
import carillon.store.Stores;
import carillon.store.collection.CollectionRules;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.JobQuota;
import carillon.store.job.JobReader;
import carillon.store.job.JobStore;
import carillon.store.job.MovedJobException;
import carillon.store.job.StaleCollectionException;
import carillon.store.operation.FormatGuard;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations of clients on jobs. Each first looks for the collection, so that a missing collection
 * is told from a missing job, and so that answers carry the collection's name as it was created.
 */
public final class JobOperations {
  /** Attempts at a change that others keep overtaking; then the client is told. */
  static final int MAX_CHANGE_ATTEMPTS = 5;

  private final JobStore jobs;
  private final CollectionStore collections;
  private final JobQuota quota;
  private final EventBus bus;
  private final SubmissionSealer sealer;
  private final FormatGuard formats;

  public JobOperations(Stores stores, EventBus bus, SubmissionSealer sealer) {
    this.sealer = sealer;
    this.formats = stores.formats();
    this.jobs = stores.jobs();
    this.collections = stores.collections();
    this.quota = stores.quota();
    this.bus = bus;
  }

  /**
   * Creates or replaces the job. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED, or with
   * CONFLICT when a quota of the collection forbids it.
   */
  Future<JobStore.Put> put(
      JobName name, JobSubmission submission, Precondition condition, AuditContext change) {
    return within(name.collection(), open -> put(open, name, submission, condition, change))
        .onSuccess(put -> announce(put.job(), change.at()));
  }

  private Future<JobStore.Put> put(
      CollectionRules open,
      JobName name,
      JobSubmission submission,
      Precondition condition,
      AuditContext change) {
    Instant now = change.at();
    open.limits().check(submission.definition(), now, open.name());
    JobName job = open.name().job(name.job());
    JobState state = submission.state().orElse(JobState.ENABLED);
    // Most jobs are new: nothing is read first. One that is there is left alone, and then replaced.
    Supplier<Future<JobStore.Put>> write =
        () ->
            seal(job, submission.definition(), () -> stored(job), change)
                .compose(
                    whole ->
                        jobs.put(
                            job, open.epoch(), whole, state, condition, change, Optional.empty()))
                .recover(
                    failure ->
                        retryIfMoved(
                            failure,
                            job,
                            MAX_CHANGE_ATTEMPTS,
                            () -> replace(open, job, submission, state, condition, change)));
    return open.limits().maxJobs().isPresent() ? quota.writing(job, write) : write.get();
  }

  /** Replaces a job that exists: reads it first. */
  private Future<JobStore.Put> replace(
      CollectionRules open,
      JobName job,
      JobSubmission submission,
      JobState state,
      Precondition condition,
      AuditContext change) {
    return jobs.standing(job)
        .compose(
            seen ->
                seal(
                        job,
                        submission.definition(),
                        () -> Future.succeededFuture(definition(seen)),
                        change)
                    .compose(
                        whole ->
                            jobs.put(job, open.epoch(), whole, state, condition, change, seen)));
  }

  /** Seals a definition that every node here understands; fails with CONFLICT otherwise. */
  private Future<JobDefinition> seal(
      JobName job,
      JobDefinition definition,
      Supplier<Future<Optional<JobDefinition>>> stored,
      AuditContext change) {
    Optional<String> property = definition.guardedProperty();
    return property.isEmpty()
        ? sealer.seal(job, definition, stored, change)
        : formats
            .require(JobDefinition.SCHEDULE_FORMAT, property.get())
            .compose(known -> sealer.seal(job, definition, stored, change));
  }

  private static Optional<JobDefinition> definition(Optional<JobVersion> seen) {
    return seen.flatMap(JobVersion::job).map(StoredJob::definition);
  }

  /**
   * Computes a change anew after the job turned out to be another than the one it was computed
   * from, whoever changed it: a condition of the client is about changes by clients.
   */
  private static <T> Future<T> retryIfMoved(
      Throwable failure, JobName job, int attempts, Supplier<Future<T>> again) {
    if (!(failure instanceof MovedJobException)) {
      return Future.failedFuture(failure);
    }
    if (attempts <= 1) {
      return Future.failedFuture(contended(job));
    }
    return again.get().recover(repeated -> retryIfMoved(repeated, job, attempts - 1, again));
  }

  private static JobException contended(JobName job) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Others change job '" + job.job() + "' at the same time; nothing is written. Try again.");
  }

  /**
   * Does all that {@link #put} does but store the job, so that it fails as that would; does not
   * count how many jobs the collection has room for.
   */
  Future<Void> check(JobName name, JobSubmission submission, AuditContext change) {
    return collections
        .open(name.collection())
        .compose(
            open -> {
              open.limits().check(submission.definition(), change.at(), open.name());
              JobName job = open.name().job(name.job());
              JobDefinition definition = submission.definition();
              return understood(definition)
                  .compose(all -> sealer.seal(job, definition, () -> stored(job), change));
            })
        .mapEmpty();
  }

  private Future<Void> understood(JobDefinition definition) {
    return definition
        .guardedProperty()
        .map(property -> formats.check(JobDefinition.SCHEDULE_FORMAT, property))
        .orElseGet(Future::succeededFuture);
  }

  /** Runs the operation with the cached collection, and again when that turns out to be stale. */
  private <T> Future<T> within(
      CollectionName collection, Function<CollectionRules, Future<T>> operation) {
    return within(collection, operation, MAX_CHANGE_ATTEMPTS);
  }

  private <T> Future<T> within(
      CollectionName collection, Function<CollectionRules, Future<T>> operation, int attempts) {
    return collections
        .open(collection)
        .compose(operation)
        .recover(
            failure -> {
              if (!(failure instanceof StaleCollectionException)) {
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
        "Others change job collection '"
            + collection.collection()
            + "' at the same time; nothing is written. Try again.");
  }

  /** Reads a job. Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND. */
  public Future<StoredJob> get(JobName name) {
    return resolve(name).compose(jobs::get);
  }

  /** Deletes a job. Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND, PRECONDITION_FAILED. */
  Future<Void> delete(JobName name, Precondition condition, AuditContext change) {
    return within(name.collection(), open -> delete(open, name, condition, change));
  }

  private Future<Void> delete(
      CollectionRules open, JobName name, Precondition condition, AuditContext change) {
    JobName job = open.name().job(name.job());
    Supplier<Future<Void>> deletion = () -> jobs.delete(job, open.epoch(), condition, change);
    return open.limits().maxJobs().isPresent() ? quota.deleting(job, deletion) : deletion.get();
  }

  /**
   * Gives the job another definition or state. Fails as {@link #get} does, with what {@code patch}
   * throws, CONFLICT (also when a quota of the collection forbids it) or PRECONDITION_FAILED.
   *
   * @param patch makes of the job as it is what it is to be
   */
  Future<StoredJob> patch(
      JobName name,
      Function<StoredJob, JobSubmission> patch,
      Precondition condition,
      AuditContext by) {
    return change(
        name,
        condition,
        by,
        (open, seen) -> {
          StoredJob current = seen.job().orElseThrow();
          JobSubmission submission = patch.apply(current);
          open.limits().check(submission.definition(), current.created(), open.name());
          JobState state = submission.state().orElse(current.state());
          Optional<JobDefinition> old = Optional.of(current.definition());
          return seal(
                  current.name(), submission.definition(), () -> Future.succeededFuture(old), by)
              .compose(whole -> jobs.change(seen, open.epoch(), whole, state, by));
        });
  }

  /** The stored definition; empty where there is no job, or a damaged one. */
  private Future<Optional<JobDefinition>> stored(JobName name) {
    return jobs.look(name)
        .map(found -> found.flatMap(JobReader.Found::job).map(StoredJob::definition));
  }

  /** Ends a pause; the next occurrence is computed anew. Fails as {@link #patch} does. */
  Future<StoredJob> enable(JobName name, Precondition condition, AuditContext by) {
    return setState(name, JobState.ENABLED, condition, by);
  }

  /** Pauses the job. Fails as {@link #patch} does. */
  Future<StoredJob> disable(JobName name, Precondition condition, AuditContext by) {
    return setState(name, JobState.DISABLED, condition, by);
  }

  private Future<StoredJob> setState(
      JobName name, JobState state, Precondition condition, AuditContext by) {
    return change(
        name,
        condition,
        by,
        (open, seen) -> {
          StoredJob current = seen.job().orElseThrow();
          return current.state() == state
              ? Future.succeededFuture(current)
              : jobs.change(seen, open.epoch(), current.definition(), state, by);
        });
  }

  /**
   * Lets the job run once, now, whatever its schedule. Fails as {@link #get} does, or with
   * CONFLICT.
   */
  Future<Void> run(JobName name, AuditContext by) {
    Instant now = by.at();
    return resolve(name)
        .compose(job -> jobs.run(job, by).onSuccess(done -> announce(job, now, now)));
  }

  /** The job under its collection's own name. Fails with COLLECTION_NOT_FOUND. */
  Future<JobName> resolve(JobName name) {
    return resolve(name.collection()).map(collection -> collection.job(name.job()));
  }

  /** The name of a collection as it was created, for lists. Fails with COLLECTION_NOT_FOUND. */
  Future<CollectionName> resolve(CollectionName name) {
    return collections.open(name).map(CollectionRules::name);
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      AuditContext by,
      BiFunction<CollectionRules, JobVersion, Future<StoredJob>> change) {
    return within(
            name.collection(),
            open ->
                change(
                    open.name().job(name.job()),
                    condition,
                    seen -> change.apply(open, seen),
                    MAX_CHANGE_ATTEMPTS))
        .onSuccess(job -> announce(job, by.at()));
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      Function<JobVersion, Future<StoredJob>> change,
      int attempts) {
    return attempt(name, condition, change)
        .recover(
            failure ->
                retryIfMoved(
                    failure, name, MAX_CHANGE_ATTEMPTS, () -> attempt(name, condition, change)))
        .recover(
            failure -> {
              if (!condition.equals(Precondition.NONE) || !isOvertaken(failure)) {
                return Future.failedFuture(failure);
              }
              return attempts > 1
                  ? change(name, condition, change, attempts - 1)
                  : Future.failedFuture(contended(name));
            });
  }

  private Future<StoredJob> attempt(
      JobName name, Precondition condition, Function<JobVersion, Future<StoredJob>> change) {
    return jobs.standing(name)
        .compose(
            found -> {
              JobVersion seen = found.orElseThrow(() -> JobStore.notFound(name));
              if (seen.job().isEmpty()) {
                return damaged(name);
              }
              StoredJob current = seen.job().get();
              EtagPreconditions.check(condition, current.revision(), "Job '" + name.job() + "'");
              refuseFinal(current);
              return change.apply(seen);
            });
  }

  /** Refuses to change a damaged job: fails with JOB_DAMAGED, or names its schedule as damaged. */
  private Future<StoredJob> damaged(JobName name) {
    return jobs.get(name)
        .compose(
            job ->
                Future.failedFuture(
                    new IllegalStateException(
                        "the schedule of job " + name.key() + " cannot be understood")));
  }

  /**
   * Whether a change failed because another came first, or a condition of the client does not hold.
   */
  public static boolean isOvertaken(Throwable failure) {
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

  private void announce(StoredJob job, Instant now) {
    job.next().ifPresent(next -> announce(job.name(), next, now));
  }

  /** A hint; a lost one costs latency, never an execution. */
  private void announce(JobName name, Instant at, Instant now) {
    Messages.wakeUp(bus, () -> jobs.partition(name), at, now);
  }
}
