package carillon.api.jobs;

import carillon.access.AuditEntry.AuditContext;
import carillon.api.http.EtagPreconditions;
import carillon.api.resources.CalendarOperations;
import carillon.job.JobDefinition;
import carillon.job.JobDefinition.Metadata;
import carillon.job.JobVersion;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.store.ChangeRetries;
import carillon.store.collection.CollectionStore.CollectionRules;
import carillon.store.job.JobReader;
import carillon.store.job.JobStore;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Changes of existing jobs: patches, pauses and their ends, retries of finished jobs. Each is
 * computed from the job as it was read, and again if another change came in between.
 */
final class JobChanges {
  private final JobOperations operations;
  private final JobStore jobs;
  private final SubmissionChecks checks;
  private final CalendarOperations calendars;
  private final SubmissionSealer sealer;

  JobChanges(
      JobOperations operations,
      JobStore jobs,
      SubmissionChecks checks,
      CalendarOperations calendars,
      SubmissionSealer sealer) {
    this.operations = operations;
    this.jobs = jobs;
    this.checks = checks;
    this.calendars = calendars;
    this.sealer = sealer;
  }

  /**
   * Gives the job another definition or state. Fails as {@link JobOperations#get} does, with what
   * {@code patch} throws, CONFLICT (also when a quota of the collection forbids it) or
   * PRECONDITION_FAILED.
   *
   * @param patch computes the changed job from the current one
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
          if (submission.isOfWordsAlone()) {
            return changeWords(rules, version, submission.definition().metadata(), context);
          }
          JobState state = submission.state().orElse(current.state());
          Optional<JobDefinition> old = Optional.of(current.definition());
          return checks
              .checkFlows(
                  current.name(), submission.definition(), current.definition().actionsInFlows())
              .compose(
                  known ->
                      calendars.check(
                          current.name(),
                          submission.definition(),
                          old,
                          current.created(),
                          context.at()))
              .compose(known -> sealer.seal(current.name(), submission.definition(), old, context))
              .compose(
                  whole ->
                      calendars.noting(
                          current.name(),
                          whole,
                          () -> jobs.change(version, rules.epoch(), whole, state, context)));
        });
  }

  /** Changes only the metadata of the job. Nothing is written if it is the same already. */
  private Future<StoredJob> changeWords(
      CollectionRules rules, JobVersion version, Metadata words, AuditContext context) {
    StoredJob current = version.job().orElseThrow();
    JobDefinition definition = current.definition().withMetadata(words);
    return words.equals(current.definition().metadata())
        ? Future.succeededFuture(current)
        : jobs.change(version, rules.epoch(), definition, current.state(), context);
  }

  /** Ends a pause; the next occurrence is computed again. Fails as {@link #patch} does. */
  Future<StoredJob> enable(JobName name, Precondition condition, AuditContext context) {
    return change(
        name,
        condition,
        context,
        (rules, version) -> {
          StoredJob current = version.job().orElseThrow();
          return current.state() == JobState.ENABLED
              ? Future.succeededFuture(current)
              : jobs.change(
                  version, rules.epoch(), current.definition(), JobState.ENABLED, context);
        });
  }

  /** Pauses the job. Fails as {@link #patch} does. */
  Future<StoredJob> disable(
      JobName name, PauseOptions options, Precondition condition, AuditContext context) {
    return change(
        name, condition, context, (rules, version) -> disable(rules, version, options, context));
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
            Optional.of(options.pause(current.pause(), context.by(), context.at())),
            context);
  }

  /**
   * Runs a completed or faulted job again: a one-time job immediately, or at its future start.
   * Counters and history continue. Fails as {@link #patch} does. Also fails with CONFLICT if the
   * job is not finished, or if it is recurring, because its schedule is over.
   */
  Future<StoredJob> retry(JobName name, Precondition condition, AuditContext context) {
    return change(
        name,
        condition,
        context,
        StoredJob::requireRetriable,
        (rules, version) ->
            jobs.change(
                version,
                rules.epoch(),
                version.job().orElseThrow().definition(),
                JobState.ENABLED,
                context));
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      AuditContext context,
      BiFunction<CollectionRules, JobVersion, Future<StoredJob>> update) {
    return change(name, condition, context, StoredJob::requireChangeable, update);
  }

  /**
   * Changes a job.
   *
   * @param check throws if the current job does not allow the change
   */
  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      AuditContext context,
      Consumer<StoredJob> check,
      BiFunction<CollectionRules, JobVersion, Future<StoredJob>> update) {
    ChangeRetries retries = new ChangeRetries();
    return operations
        .within(
            name.collection(),
            retries,
            rules ->
                retries.repeat(
                    failure ->
                        ChangeRetries.isMoved(failure)
                            || ChangeRetries.isOvertaken(failure, condition),
                    overtaken -> JobOperations.contended(name),
                    () ->
                        tryChange(
                            name.in(rules.name()),
                            condition,
                            version -> {
                              check.accept(version.job().orElseThrow());
                              return update.apply(rules, version);
                            })))
        .onSuccess(job -> operations.announce(job, context.at()));
  }

  private Future<StoredJob> tryChange(
      JobName name, Precondition condition, Function<JobVersion, Future<StoredJob>> update) {
    return jobs.reader()
        .version(name)
        .compose(
            found -> {
              JobVersion version = found.orElseThrow(() -> JobReader.notFound(name));
              if (version.job().isEmpty()) {
                return damaged(name);
              }
              StoredJob current = version.job().get();
              EtagPreconditions.check(condition, current.revision(), "Job '" + name.job() + "'");
              return calendars.of(current.definition()).compose(known -> update.apply(version));
            });
  }

  /** Refuses to change a damaged job, with the reason: fails with JOB_DAMAGED. */
  private Future<StoredJob> damaged(JobName name) {
    String reason = "what its hash says of attempts that are under way cannot be read";
    return jobs.reader()
        .get(name)
        .compose(job -> Future.failedFuture(JobReader.damaged(new DamagedJob(name, reason))));
  }
}
