package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.resources.CalendarOperations;
import carillon.bus.Messages;
import carillon.job.JobDefinition;
import carillon.job.JobVersion;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.JobDefaults;
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
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations of clients on jobs; {@link JobChanges} has those on existing jobs. Each first looks
 * for the collection, to distinguish a missing collection from a missing job. Answers carry the
 * collection's name as it was created.
 */
public final class JobOperations {
  private final JobStore jobs;
  private final JobReader reader;
  private final CollectionStore collections;
  private final JobQuota quota;
  private final EventBus bus;
  private final SubmissionSealer sealer;
  private final SubmissionChecks checks;
  private final CalendarOperations calendars;
  private final JobDefaults defaults;

  /**
   * Operations on the jobs of these stores.
   *
   * @param defaults settings of jobs that have none
   */
  public JobOperations(Stores stores, EventBus bus, SubmissionSealer sealer, JobDefaults defaults) {
    this.defaults = defaults;
    this.sealer = sealer;
    this.checks = new SubmissionChecks(stores);
    this.calendars = new CalendarOperations(stores);
    this.jobs = stores.job().jobs();
    this.reader = stores.job().reader();
    this.collections = stores.collection().collections();
    this.quota = stores.collection().jobQuota();
    this.bus = bus;
  }

  /** Returns the settings of jobs that have none. */
  JobDefaults defaults() {
    return defaults;
  }

  /** Returns the changes of existing jobs. */
  JobChanges changes() {
    return new JobChanges(this, jobs, checks, calendars, sealer);
  }

  /**
   * Creates or replaces the job. Writes nothing if an identical job exists and this would not run
   * it again. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED, or with CONFLICT when a quota
   * of the collection forbids it.
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
                rules ->
                    new JobWrite(name, rules, submission, condition, context, retries).write());
    Future<JobStore.Put> written =
        definition.namesOthers()
            ? checkNamed(name, definition, context)
                .compose(known -> calendars.noting(name, definition, write))
            : write.get();
    return written.onSuccess(put -> announce(put.job(), context.at()));
  }

  /** Checks that the flows and calendars of a job exist. Fails with INVALID. */
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

  static JobException contended(JobName job) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Others change job '" + job.job() + "' at the same time; nothing is written. Try again.");
  }

  /**
   * Does everything that {@link #put} does except store the job, so that it fails in the same way.
   * Does not check whether the collection has room for another job.
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
                  .checkFlows(job, definition, Map.of())
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
    return resolve(name).compose(reader::get);
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

  /** Returns the stored definition; empty if there is no job, or a damaged one. */
  private Future<Optional<JobDefinition>> stored(JobName name) {
    return reader
        .look(name)
        .map(found -> found.flatMap(JobReader.Found::job).map(StoredJob::definition));
  }

  /**
   * Requests an execution of the job now, regardless of its schedule. Fails as {@link #get} does,
   * or with CONFLICT.
   *
   * @return the execution that was added, or that an earlier request with this key added
   */
  Future<JobStore.RequestedExecution> requestExecution(
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

  /**
   * Returns the name of a collection as it was created, for lists. Fails with COLLECTION_NOT_FOUND.
   */
  Future<CollectionName> resolve(CollectionName name) {
    return collections.rules(name).map(CollectionRules::name);
  }

  /** Notifies the timer of the next due instant of a job. */
  void announce(StoredJob job, Instant now) {
    job.next().ifPresent(next -> announce(job.name(), next, now));
  }

  /** A hint; a lost one costs latency, never an execution. */
  private void announce(JobName name, Instant at, Instant now) {
    Messages.wakeUp(bus, () -> reader.partition(name), at, now);
  }

  /**
   * A PUT of a job into a collection. Its methods repeat while other changes come first; the quota
   * reserves one entry for all of them.
   */
  private final class JobWrite {
    private final JobName job;
    private final CollectionRules rules;
    private final JobDefinition definition;
    private final JobState state;
    private final Precondition condition;
    private final AuditContext context;
    private final ChangeRetries retries;

    /**
     * @param rules collection of the job, as it is cached
     * @param retries counts the tries for all reasons
     */
    JobWrite(
        JobName name,
        CollectionRules rules,
        JobSubmission submission,
        Precondition condition,
        AuditContext context,
        ChangeRetries retries) {
      this.job = name.in(rules.name());
      this.rules = rules;
      this.definition = submission.definition();
      this.state = submission.state().orElse(JobState.ENABLED);
      this.condition = condition;
      this.context = context;
      this.retries = retries;
    }

    Future<JobStore.Put> write() {
      rules.limits().check(definition, context.at(), rules.name());
      return rules.limits().maxJobs().isPresent()
          ? quota.writing(job, this::createOrReplace)
          : createOrReplace();
    }

    private Future<JobStore.Put> createOrReplace() {
      return definition.firstKept().isPresent() ? keepSecrets() : putWhole();
    }

    /**
     * Writes a complete definition. Most jobs are new, so the first try reads nothing and leaves an
     * existing job alone. The next try replaces it.
     */
    private Future<JobStore.Put> putWhole() {
      return sealer
          .seal(job, definition, Optional.empty(), context)
          .compose(
              whole ->
                  repeatIfMoved(
                      () ->
                          retries.isFirstTry()
                              ? put(whole, Optional.empty())
                              : reader.version(job).compose(former -> put(whole, former))));
    }

    /** Writes a definition with omitted or masked secrets: takes them from the existing job. */
    private Future<JobStore.Put> keepSecrets() {
      return repeatIfMoved(
          () ->
              reader
                  .version(job)
                  .compose(
                      former ->
                          sealer
                              .seal(job, definition, definition(former), context)
                              .compose(whole -> put(whole, former))));
    }

    private Future<JobStore.Put> repeatIfMoved(Supplier<Future<JobStore.Put>> change) {
      return retries.repeat(ChangeRetries::isMoved, moved -> contended(job), change);
    }

    /** Writes the sealed definition over the version that was read, unless it changes nothing. */
    private Future<JobStore.Put> put(JobDefinition whole, Optional<JobVersion> former) {
      return unchanged(whole, former)
          .map(stored -> Future.succeededFuture(new JobStore.Put(false, stored)))
          .orElseGet(() -> jobs.put(job, rules.epoch(), whole, state, condition, context, former));
    }

    /** Returns the stored job if a PUT changes nothing. Such a PUT does not run the job again. */
    private Optional<StoredJob> unchanged(JobDefinition whole, Optional<JobVersion> former) {
      return former
          .flatMap(JobVersion::job)
          .filter(stored -> state == JobState.ENABLED && stored.outlivesItsRepeat(context.at()))
          .filter(stored -> condition.holds(stored.revision()))
          .filter(stored -> sealer.areEqual(job, whole, stored.definition()));
    }

    private static Optional<JobDefinition> definition(Optional<JobVersion> version) {
      return version.flatMap(JobVersion::job).map(StoredJob::definition);
    }
  }
}
