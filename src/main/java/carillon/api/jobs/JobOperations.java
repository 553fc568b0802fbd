package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.bus.Messages;
import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.JobVersion;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.json.JobCodec.JobSubmission;
import carillon.store.Stores;
import carillon.store.collection.CollectionStore;
import carillon.store.collection.CollectionStore.CollectionRules;
import carillon.store.collection.JobQuota;
import carillon.store.job.JobReader;
import carillon.store.job.JobStore;
import carillon.store.job.MovedJobException;
import carillon.store.job.StaleCollectionException;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Operations of clients on jobs. Each first looks for the collection, so that a missing collection
 * is told from a missing job, and so that answers carry the collection's name as it was created.
 */
public final class JobOperations {
  /** Tries of a change that others keep overtaking; then the client is told. */
  static final int MAX_TRIES = 5;

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
    this.jobs = stores.jobs();
    this.collections = stores.collections();
    this.quota = stores.jobQuota();
    this.bus = bus;
  }

  /**
   * Creates or replaces the job. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED, or with
   * CONFLICT when a quota of the collection forbids it.
   */
  Future<JobStore.Put> put(
      JobName name, JobSubmission submission, Precondition condition, AuditContext context) {
    JobDefinition definition = submission.definition();
    Supplier<Future<JobStore.Put>> write =
        () -> within(name.collection(), rules -> put(rules, name, submission, condition, context));
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
      AuditContext context) {
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
                            ? replace(job, definition, context, put)
                            : createOrReplace(job, definition, context, put));
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
      BiFunction<JobDefinition, Optional<JobVersion>, Future<JobStore.Put>> put) {
    return sealer
        .seal(job, definition, Optional.empty(), context)
        .compose(
            whole ->
                put.apply(whole, Optional.empty())
                    .recover(
                        failure ->
                            retryIfMoved(
                                failure,
                                job,
                                MAX_TRIES,
                                () ->
                                    jobs.version(job)
                                        .compose(former -> put.apply(whole, former)))));
  }

  /** The same with secrets that were left out, or masked: those of the job that is there. */
  private Future<JobStore.Put> replace(
      JobName job,
      JobDefinition definition,
      AuditContext context,
      BiFunction<JobDefinition, Optional<JobVersion>, Future<JobStore.Put>> put) {
    Supplier<Future<JobStore.Put>> replacement =
        () ->
            jobs.version(job)
                .compose(
                    former ->
                        sealer
                            .seal(job, definition, definition(former), context)
                            .compose(whole -> put.apply(whole, former)));
    return replacement.get().recover(failure -> retryIfMoved(failure, job, MAX_TRIES, replacement));
  }

  private static Optional<JobDefinition> definition(Optional<JobVersion> version) {
    return version.flatMap(JobVersion::job).map(StoredJob::definition);
  }

  /**
   * Computes a change anew after the job turned out to be another than the one it was computed
   * from, whoever changed it: a condition of the client is about changes by clients.
   */
  private static <T> Future<T> retryIfMoved(
      Throwable failure, JobName job, int triesLeft, Supplier<Future<T>> again) {
    if (!(failure instanceof MovedJobException)) {
      return Future.failedFuture(failure);
    }
    if (triesLeft <= 1) {
      return Future.failedFuture(contended(job));
    }
    return again.get().recover(repeated -> retryIfMoved(repeated, job, triesLeft - 1, again));
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
  private <T> Future<T> within(
      CollectionName collection, Function<CollectionRules, Future<T>> operation) {
    return within(collection, operation, MAX_TRIES);
  }

  private <T> Future<T> within(
      CollectionName collection, Function<CollectionRules, Future<T>> operation, int triesLeft) {
    return collections
        .rules(collection)
        .compose(operation)
        .recover(
            failure -> {
              if (!(failure instanceof StaleCollectionException)) {
                return Future.failedFuture(failure);
              }
              collections.forget(collection);
              return triesLeft > 1
                  ? within(collection, operation, triesLeft - 1)
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
  Future<Void> delete(JobName name, Precondition condition, AuditContext context) {
    return within(name.collection(), rules -> delete(rules, name, condition, context));
  }

  private Future<Void> delete(
      CollectionRules rules, JobName name, Precondition condition, AuditContext context) {
    JobName job = name.in(rules.name());
    Supplier<Future<Void>> deletion = () -> jobs.delete(job, rules.epoch(), condition, context);
    return rules.limits().maxJobs().isPresent() ? quota.deleting(job, deletion) : deletion.get();
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
      AuditContext context) {
    return change(
        name,
        condition,
        context,
        (rules, version) -> {
          StoredJob current = version.job().orElseThrow();
          JobSubmission submission = patch.apply(current);
          rules.limits().check(submission.definition(), current.created(), rules.name());
          JobState state = submission.state().orElse(current.state());
          Optional<JobDefinition> old = Optional.of(current.definition());
          return checks
              .checkFlows(current.name(), submission.definition(), current.definition().flows())
              .compose(
                  known ->
                      calendars.check(
                          current.name(),
                          submission.definition(),
                          old,
                          current.created(),
                          context.at()))
              .compose(known -> checks.requireFormat(submission.definition().guardedProperty()))
              .compose(
                  understood -> sealer.seal(current.name(), submission.definition(), old, context))
              .compose(
                  whole ->
                      calendars.noting(
                          current.name(),
                          whole,
                          () -> jobs.change(version, rules.epoch(), whole, state, context)));
        });
  }

  /** The stored definition; empty where there is no job, or a damaged one. */
  private Future<Optional<JobDefinition>> stored(JobName name) {
    return jobs.look(name)
        .map(found -> found.flatMap(JobReader.Found::job).map(StoredJob::definition));
  }

  /** Ends a pause; the next occurrence is computed anew. Fails as {@link #patch} does. */
  Future<StoredJob> enable(JobName name, Precondition condition, AuditContext context) {
    return setState(name, JobState.ENABLED, condition, context);
  }

  /** Pauses the job. Fails as {@link #patch} does. */
  Future<StoredJob> disable(
      JobName name, PauseOptions options, Precondition condition, AuditContext context) {
    return checks
        .requireFormat(options.guardedProperty())
        .compose(
            understood ->
                change(
                    name,
                    condition,
                    context,
                    (rules, version) -> disable(rules, version, options, context)));
  }

  private Future<StoredJob> disable(
      CollectionRules rules, JobVersion version, PauseOptions options, AuditContext context) {
    StoredJob current = version.job().orElseThrow();
    return current.state() == JobState.DISABLED && options.isMet(current.pause())
        ? Future.succeededFuture(current)
        : jobs.change(
            version,
            rules.epoch(),
            current.definition(),
            JobState.DISABLED,
            options.pause(current.pause(), context.by(), context.at()),
            context);
  }

  /**
   * Runs a completed or faulted job again: a one-time job at once, or at a start that is to come.
   * Counters and history go on. Fails as {@link #patch} does, and with CONFLICT where the job is
   * not finished, or recurring: its schedule is over.
   */
  Future<StoredJob> retry(JobName name, Precondition condition, AuditContext context) {
    return change(
        name,
        condition,
        context,
        JobOperations::refuseLive,
        (rules, version) ->
            jobs.change(
                version,
                rules.epoch(),
                version.job().orElseThrow().definition(),
                JobState.ENABLED,
                context));
  }

  private static void refuseLive(StoredJob job) {
    if (!job.state().isFinal()) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "Job '"
              + job.name().job()
              + "' is "
              + job.state().word()
              + ", not completed or faulted; run it instead.");
    }
    if (job.definition().recurrence().isPresent()) {
      throw new JobException(
          ErrorCode.CONFLICT,
          "The schedule of job '" + job.name().job() + "' is over; PUT it with a later end.");
    }
  }

  private Future<StoredJob> setState(
      JobName name, JobState state, Precondition condition, AuditContext context) {
    return change(
        name,
        condition,
        context,
        (rules, version) -> {
          StoredJob current = version.job().orElseThrow();
          return current.state() == state
              ? Future.succeededFuture(current)
              : jobs.change(version, rules.epoch(), current.definition(), state, context);
        });
  }

  /**
   * Requests an execution of the job now, whatever its schedule. Fails as {@link #get} does, or
   * with CONFLICT.
   *
   * @param isAlone whether it must not be performed beside another execution
   */
  Future<Void> requestExecution(JobName name, boolean isAlone, AuditContext context) {
    Instant now = context.at();
    return resolve(name)
        .compose(
            job ->
                (isAlone ? jobs.requestAlone(job, context) : jobs.requestExecution(job, context))
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

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      AuditContext context,
      BiFunction<CollectionRules, JobVersion, Future<StoredJob>> update) {
    return change(name, condition, context, JobOperations::refuseFinal, update);
  }

  /**
   * Changes a job.
   *
   * @param check throws where the job, as it is, cannot be changed so
   */
  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      AuditContext context,
      Consumer<StoredJob> check,
      BiFunction<CollectionRules, JobVersion, Future<StoredJob>> update) {
    return within(
            name.collection(),
            rules ->
                change(
                    name.in(rules.name()),
                    condition,
                    version -> {
                      check.accept(version.job().orElseThrow());
                      return update.apply(rules, version);
                    },
                    MAX_TRIES))
        .onSuccess(job -> announce(job, context.at()));
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      Function<JobVersion, Future<StoredJob>> update,
      int triesLeft) {
    return tryChange(name, condition, update)
        .recover(
            failure ->
                retryIfMoved(failure, name, MAX_TRIES, () -> tryChange(name, condition, update)))
        .recover(
            failure -> {
              if (!condition.equals(Precondition.NONE) || !isOvertaken(failure)) {
                return Future.failedFuture(failure);
              }
              return triesLeft > 1
                  ? change(name, condition, update, triesLeft - 1)
                  : Future.failedFuture(contended(name));
            });
  }

  private Future<StoredJob> tryChange(
      JobName name, Precondition condition, Function<JobVersion, Future<StoredJob>> update) {
    return jobs.version(name)
        .compose(
            found -> {
              JobVersion version = found.orElseThrow(() -> JobStore.notFound(name));
              if (version.job().isEmpty()) {
                return damaged(name);
              }
              StoredJob current = version.job().get();
              EtagPreconditions.check(condition, current.revision(), "Job '" + name.job() + "'");
              return calendars.of(current.definition()).compose(known -> update.apply(version));
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
              + " and cannot be changed; retry it, or PUT it again.");
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
