package carillon.api;

import carillon.bus.Messages;
import carillon.codec.JobReader;
import carillon.codec.Submission;
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
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * What clients do to jobs. Each operation first asks for the collection, so that a missing one is
 * told from a missing job, and so that answers carry the collection's name as it was first written.
 */
final class JobOperations {
  /** So often is a change begun again when another one came between; then the client is told. */
  private static final int CHANGE_ATTEMPTS = 5;

  private final JobStore jobs;
  private final CollectionStore collections;
  private final EventBus bus;
  private final Intake intake;

  JobOperations(JobStore jobs, CollectionStore collections, EventBus bus, Intake intake) {
    this.intake = intake;
    this.jobs = jobs;
    this.collections = collections;
    this.bus = bus;
  }

  /** Creates or replaces the job. Fails with COLLECTION_NOT_FOUND, PRECONDITION_FAILED. */
  Future<JobStore.Put> put(
      JobName name, Submission submission, Precondition condition, Instant now) {
    JobState state = submission.state().orElse(JobState.ENABLED);
    Optional<Instant> next = next(state, submission);
    return resolve(name)
        .compose(
            job ->
                intake
                    .admit(job, submission.definition(), () -> stored(job), now)
                    .compose(definition -> jobs.put(job, definition, state, next, condition, now)))
        .onSuccess(put -> announce(put.job(), now));
  }

  /** Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND. */
  Future<StoredJob> get(JobName name) {
    return resolve(name).compose(jobs::get);
  }

  /** Fails with COLLECTION_NOT_FOUND, JOB_NOT_FOUND, PRECONDITION_FAILED. */
  Future<Void> delete(JobName name, Precondition condition) {
    return resolve(name).compose(job -> jobs.delete(job, condition));
  }

  /**
   * Changes what the document mentions. Fails as {@link #get} does, with INVALID, CONFLICT or
   * PRECONDITION_FAILED.
   */
  Future<StoredJob> patch(
      JobName name, JobReader reader, byte[] change, Precondition condition, Instant now) {
    return change(
        name,
        condition,
        now,
        current -> {
          Submission submission = reader.patch(current, change, now);
          JobState state = submission.state().orElse(current.state());
          Optional<JobDefinition> old = Optional.of(current.definition());
          return intake
              .admit(
                  current.name(), submission.definition(), () -> Future.succeededFuture(old), now)
              .compose(whole -> jobs.change(current, whole, state, next(state, submission), now));
        });
  }

  private Future<Optional<JobDefinition>> stored(JobName name) {
    return jobs.find(name).map(found -> found.map(StoredJob::definition));
  }

  /** Ends a pause; the next occurrence is computed anew. Fails as {@link #patch} does. */
  Future<StoredJob> enable(JobName name, Precondition condition, Instant now) {
    return change(
        name,
        condition,
        now,
        current -> {
          if (current.state() == JobState.ENABLED) {
            return Future.succeededFuture(current);
          }
          Instant next = nextAfterPause(current, now);
          return jobs.change(
              current, current.definition(), JobState.ENABLED, Optional.of(next), now);
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
  Future<StoredJob> disable(JobName name, Precondition condition, Instant now) {
    return change(
        name,
        condition,
        now,
        current ->
            current.state() == JobState.DISABLED
                ? Future.succeededFuture(current)
                : jobs.change(
                    current, current.definition(), JobState.DISABLED, Optional.empty(), now));
  }

  /**
   * Lets the job run once, now, whatever its schedule. Fails as {@link #get} does, or with
   * CONFLICT.
   */
  Future<Void> run(JobName name, Instant now) {
    return resolve(name)
        .compose(job -> jobs.run(job, now).onSuccess(done -> announce(job, now, now)));
  }

  /** The job under its collection's own name. Fails with COLLECTION_NOT_FOUND. */
  Future<JobName> resolve(JobName name) {
    return collections.resolve(name.collection()).map(collection -> collection.job(name.job()));
  }

  /** Fails with COLLECTION_NOT_FOUND; for lists. */
  Future<CollectionName> resolve(CollectionName name) {
    return collections.resolve(name);
  }

  private Future<StoredJob> change(
      JobName name,
      Precondition condition,
      Instant now,
      Function<StoredJob, Future<StoredJob>> change) {
    return resolve(name)
        .compose(job -> change(job, condition, change, CHANGE_ATTEMPTS))
        .onSuccess(job -> announce(job, now));
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
