package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.bus.Messages;
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
import carillon.store.ChangeRetries;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.CollectionStore.CollectionRules;
import carillon.store.collection.JobQuota;
import carillon.store.job.JobReader;
import carillon.store.job.JobStore;
import carillon.store.job.StaleCollectionException;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations of clients on jobs; those that change a job that is there are {@link JobChanges}. Each
 * first looks for the collection, so that a missing collection is told from a missing job, and so
 * that answers carry the collection's name as it was created.
 */
public final class JobOperations {
  private final JobStore jobs;
  private final CollectionStore collections;
  private final JobQuota quota;
  private final EventBus bus;
  private final SubmissionSealer sealer;
  private final SubmissionChecks checks;
  private final CalendarOperations calendars;

  public JobOperations(Stores stores, EventBus bus, SubmissionSealer sealer) {
    this.sealer = sealer;
    this.checks = new SubmissionChecks(stores);
    this.calendars = new CalendarOperations(stores);
    this.jobs = stores.job().jobs();
    this.collections = stores.collection().collections();
    this.quota = stores.collection().jobQuota();
    this.bus = bus;
  }

  /** Changes of jobs that are there. */
  JobChanges changes() {
    return new JobChanges(this, jobs, checks, calendars, sealer);
  }

  /**
   * Creates or replaces the job. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED, or with
   * CONFLICT when a quota of the collection forbids it.
   */
  Future<JobStore.Put> put(
      JobName name, JobSubmission submission, Precondition condition, AuditContext context) {
    JobDefinition definition = submission.definition();
    ChangeRetries retries = new ChangeRetries();
    Supplier<Future<JobStore.Put>> write =
        () ->
            within(
                name.collection(),
                retries,
                rules -> put(rules, name, submission, condition, context, retries));
    Future<JobStore.Put> written =
        definition.namesOthers()
            ? checkNamed(name, definition, context)
                .compose(known -> calendars.noting(name, definition, write))
            : write.get();
    return written.onSuccess(put -> announce(put.job(), context.at()));
  }

  /** Makes sure that the flows and calendars are there that a job names. Fails with INVALID. */
  private Future<Void> checkNamed(JobName name, JobDefinition definition, AuditContext context) {
    return checks
        .checkFlows(name, definition, Map.of())
        .compose(
            known ->
                definition.occurrences().calendars().isEmpty()
                    ? Future.succeededFuture(Optional.<JobDefinition>empty())
                    : stored(name))
        .compose(former -> calendars.check(name, definition, former, context.at(), context.at()));
  }

  private Future<JobStore.Put> put(
      CollectionRules rules,
      JobName name,
      JobSubmission submission,
      Precondition condition,
      AuditContext context,
      ChangeRetries retries) {
    JobDefinition definition = submission.definition();
    rules.limits().check(definition, context.at(), rules.name());
    JobName job = name.in(rules.name());
    JobState state = submission.state().orElse(JobState.ENABLED);
    BiFunction<JobDefinition, Optional<JobVersion>, Future<JobStore.Put>> put =
        (whole, former) -> jobs.put(job, rules.epoch(), whole, state, condition, context, former);
    Supplier<Future<JobStore.Put>> write =
        () ->
            checks
                .requireFormat(definition.guardedProperty())
                .compose(
                    understood ->
                        definition.firstKept().isPresent()
                            ? replace(job, definition, context, retries, put)
                            : createOrReplace(job, definition, context, retries, put));
    return rules.limits().maxJobs().isPresent() ? quota.writing(job, write) : write.get();
  }

  /**
   * Writes a definition that is whole. Most jobs are new: nothing is read first; one that is there
   * is left alone, and then replaced.
   *
   * @param put writes what is sealed over the version that was read
   */
  private Future<JobStore.Put> createOrReplace(
      JobName job,
      JobDefinition definition,
      AuditContext context,
      ChangeRetries retries,
      BiFunction<JobDefinition, Optional<JobVersion>, Future<JobStore.Put>> put) {
    return sealer
        .seal(job, definition, Optional.empty(), context)
        .compose(
            whole ->
                repeatIfMoved(
                    job,
                    retries,
                    () ->
                        retries.isFirstTry()
                            ? put.apply(whole, Optional.empty())
                            : jobs.version(job).compose(former -> put.apply(whole, former))));
  }

  /**
   * Writes a definition in which secrets were left out, or masked: takes them from the job that is
   * there.
   */
  private Future<JobStore.Put> replace(
      JobName job,
      JobDefinition definition,
      AuditContext context,
      ChangeRetries retries,
      BiFunction<JobDefinition, Optional<JobVersion>, Future<JobStore.Put>> put) {
    return repeatIfMoved(
        job,
        retries,
        () ->
            jobs.version(job)
                .compose(
                    former ->
                        sealer
                            .seal(job, definition, definition(former), context)
                            .compose(whole -> put.apply(whole, former))));
  }

  private static Optional<JobDefinition> definition(Optional<JobVersion> version) {
    return version.flatMap(JobVersion::job).map(StoredJob::definition);
  }

  private static <T> Future<T> repeatIfMoved(
      JobName job, ChangeRetries retries, Supplier<Future<T>> change) {
    return retries.repeat(ChangeRetries::isMoved, moved -> contended(job), change);
  }

  static JobException contended(JobName job) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Others change job '" + job.job() + "' at the same time; nothing is written. Try again.");
  }

  /**
   * Does all that {@link #put} does but store the job, so that it fails as that would; does not
   * count how many jobs the collection has room for.
   */
  Future<Void> check(JobName name, JobSubmission submission, AuditContext context) {
    return collections
        .rules(name.collection())
        .compose(
            rules -> {
              rules.limits().check(submission.definition(), context.at(), rules.name());
              JobName job = name.in(rules.name());
              JobDefinition definition = submission.definition();
              return checks
                  .checkFormat(definition.guardedProperty())
                  .compose(all -> checks.checkFlows(job, definition, Map.of()))
                  .compose(
                      all ->
                          calendars.check(
                              job, definition, Optional.empty(), context.at(), context.at()))
                  .compose(
                      all ->
                          definition.firstKept().isPresent()
                              ? stored(job)
                              : Future.succeededFuture(Optional.<JobDefinition>empty()))
                  .compose(former -> sealer.seal(job, definition, former, context));
            })
        .mapEmpty();
  }

  /** Runs the operation with the cached collection, and again when that turns out to be stale. */
  <T> Future<T> within(CollectionName collection, Function<CollectionRules, Future<T>> operation) {
    return within(collection, new ChangeRetries(), operation);
  }

  /**
   * Runs the operation with the cached collection, and again when that turns out to be stale.
   *
   * @param retries counts its tries together with those for other reasons
   */
  <T> Future<T> within(
      CollectionName collection,
      ChangeRetries retries,
      Function<CollectionRules, Future<T>> operation) {
    return retries.repeat(
        StaleCollectionException.class::isInstance,
        stale -> changing(collection),
        () ->
            collections
                .rules(collection)
                .compose(operation)
                .onFailure(failure -> forgetIfStale(collection, failure)));
  }

  private void forgetIfStale(CollectionName collection, Throwable failure) {
    if (failure instanceof StaleCollectionException) {
      collections.forget(collection);
    }
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
  Future<Void> delete(JobName name, Precondition condition, AuditContext context) {
    return within(name.collection(), rules -> delete(rules, name, condition, context));
  }

  private Future<Void> delete(
      CollectionRules rules, JobName name, Precondition condition, AuditContext context) {
    JobName job = name.in(rules.name());
    Supplier<Future<Void>> deletion = () -> jobs.delete(job, rules.epoch(), condition, context);
    return rules.limits().maxJobs().isPresent() ? quota.deleting(job, deletion) : deletion.get();
  }

  /** The stored definition; empty where there is no job, or a damaged one. */
  private Future<Optional<JobDefinition>> stored(JobName name) {
    return jobs.look(name)
        .map(found -> found.flatMap(JobReader.Found::job).map(StoredJob::definition));
  }

  /**
   * Requests an execution of the job now, whatever its schedule. Fails as {@link #get} does, or
   * with CONFLICT.
   *
   * @return whether there is one more; false where this repeats a request
   */
  Future<Boolean> requestExecution(
      JobName name, JobStore.ExecutionRequest request, AuditContext context) {
    Instant now = context.at();
    return resolve(name)
        .compose(
            job ->
                jobs.requestExecution(job, request, context)
                    .onSuccess(done -> announce(job, now, now)));
  }

  /** The job under its collection's own name. Fails with COLLECTION_NOT_FOUND. */
  Future<JobName> resolve(JobName name) {
    return resolve(name.collection()).map(name::in);
  }

  /** The name of a collection as it was created, for lists. Fails with COLLECTION_NOT_FOUND. */
  Future<CollectionName> resolve(CollectionName name) {
    return collections.rules(name).map(CollectionRules::name);
  }

  /** Lets the timer know when a job is due next. */
  void announce(StoredJob job, Instant now) {
    job.next().ifPresent(next -> announce(job.name(), next, now));
  }

  /** A hint; a lost one costs latency, never an execution. */
  private void announce(JobName name, Instant at, Instant now) {
    Messages.wakeUp(bus, () -> jobs.partition(name), at, now);
  }
}
