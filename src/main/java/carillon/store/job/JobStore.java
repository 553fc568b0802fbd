package carillon.store.job;

import carillon.access.AuditEntry.AuditContext;
import carillon.config.Settings.HistorySettings;
import carillon.job.JobDefinition;
import carillon.job.JobVersion;
import carillon.job.Pause;
import carillon.job.Precondition;
import carillon.job.Rescheduling;
import carillon.job.StoredJob;
import carillon.job.attempt.Attempt;
import carillon.job.name.ErrorCode;
import carillon.job.name.IsoInstant;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.text.Timestamps;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.redis.route.RedisObserver;
import carillon.store.attempt.PurgeStore.Purge;
import carillon.store.job.PutJobScript.NextDue;
import carillon.store.job.PutJobScript.Rescheduled;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Store of jobs: writes and deletes them, and requests executions. Every future may fail with
 * {@link ErrorCode#STORE_UNAVAILABLE}. Then it is unknown whether the change was made. Confined to
 * the event loop of its link.
 */
public final class JobStore {
  private static final Script<Deletion> DELETE = Script.returningWord("delete_job", Deletion.class);
  private static final Script<Void> PURGE = Script.returningNothing("purge_job");
  private static final Script<Requested> REQUEST_EXECUTION =
      Script.returning("request_execution", Requested::of);

  /** Number of fraction digits that gives instants as text the same order as the instants. */
  private static final int FIXED_DIGITS = 9;

  private final RedisLink link;
  private final Keys keys;
  private final JobReader reader;
  private final JobWriter writer;
  private final AuditLog audit;
  private final ChangeNotices notices;
  private final RedisObserver observer;
  private final SharedClock clock;
  private final Supplier<CalendarDirectory> calendars;

  /**
   * Creates a store.
   *
   * @param calendars calendars as this process knows them
   */
  public JobStore(
      RedisLink link,
      Keys keys,
      AuditLog audit,
      ChangeNotices notices,
      HistorySettings history,
      RedisObserver observer,
      SharedClock clock,
      Supplier<CalendarDirectory> calendars) {
    this.link = link;
    this.keys = keys;
    this.reader = new JobReader(link, keys);
    this.writer = new JobWriter(link, keys, audit, history, clock);
    this.audit = audit;
    this.notices = notices;
    this.observer = observer;
    this.clock = clock;
    this.calendars = calendars;
  }

  /** Returns the reader of the jobs in this store. */
  public JobReader reader() {
    return reader;
  }

  /**
   * A completed write.
   *
   * @param created false if it replaced a job
   */
  public record Put(boolean created, StoredJob job) {}

  /**
   * Creates a job, or replaces it, except for its history and the case of its name. Counters begin
   * again. The instant of the change is now. Fails with {@link ErrorCode#PRECONDITION_FAILED}, with
   * {@link ErrorCode#CONFLICT} if no occurrence remains, with a {@link StaleCollectionException},
   * or with a {@link MovedJobException}.
   *
   * @param epoch the collection's epoch as the caller knows it
   * @param version version from {@link JobReader#version}; empty if the caller did not read it, or
   *     found no job
   * @return the written job, with the case of its name and its next occurrence
   */
  public Future<Put> put(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Precondition condition,
      AuditContext context,
      Optional<JobVersion> version) {
    // The revision holds the instant in milliseconds, and with it the creation of the job.
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    NextDue nextDue =
        version
            .map(read -> NextDue.replacing(rescheduled(read, name, definition, state, true, now)))
            .orElseGet(
                () ->
                    NextDue.ofNew(
                        Rescheduling.first(name, definition, state, calendars.get(), now)));
    return writer
        .write(
            new JobContent(name, epoch, definition, state, Optional.empty()),
            nextDue,
            condition,
            context,
            now)
        .compose(
            written -> {
              check(written, name, nextDue);
              StoredJob job =
                  new StoredJob(
                      written.name(name),
                      definition,
                      state,
                      written.revision(),
                      state == JobState.ENABLED ? nextDue.next() : Optional.empty(),
                      now);
              Put put = new Put(written.isCreated(), job);
              boolean ends = state == JobState.DISABLED && !put.created;
              return recalled(settled(now, put, epoch, context), ends, name);
            });
  }

  private void check(PutJobScript.PutJobReply written, JobName name, NextDue nextDue) {
    written.check(name);
    nextDue
        .rescheduled()
        .map(plan -> plan.result().skipped())
        .filter(skipped -> skipped > 0)
        .ifPresent(observer::skipped);
  }

  /** Returns the write, computed again if Redis' clock was set back in the meantime. */
  private Future<Put> settled(Instant computed, Put put, long epoch, AuditContext context) {
    return clock.instant().isBefore(computed)
        ? recomputed(put, epoch, context)
        : Future.succeededFuture(put);
  }

  /**
   * Computes the next occurrence of a job again. If that fails because the job is being changed
   * again, the first result stays.
   */
  private Future<Put> recomputed(Put put, long epoch, AuditContext context) {
    return reader
        .version(put.job.name())
        .compose(
            version ->
                change(
                    version.orElseThrow(), epoch, put.job.definition(), put.job.state(), context))
        .map(job -> new Put(put.created, job))
        .otherwise(put);
  }

  /** Recalls unsent claims of a job that no longer runs, after the write. */
  private Future<Put> recalled(Future<Put> written, boolean ended, JobName name) {
    return ended
        ? written.compose(put -> notices.add(ChangeNotices.Kind.DISABLED, name.key()).map(put))
        : written;
  }

  /**
   * Changes the definition or state of a job that the caller has read. Counters stay. A job that
   * stays disabled keeps its pause, any other job loses it. The instant of the change is now.
   *
   * <p>Fails with {@link ErrorCode#CONFLICT} if no occurrence remains, or with a {@link
   * StaleCollectionException}. If the job is no longer as the caller read it, fails with a {@link
   * MovedJobException} or {@link ErrorCode#PRECONDITION_FAILED}.
   *
   * @param epoch the collection's epoch as the caller knows it
   * @return the written job, with its next occurrence
   */
  public Future<StoredJob> change(
      JobVersion version,
      long epoch,
      JobDefinition definition,
      JobState state,
      AuditContext context) {
    StoredJob current = version.job().orElseThrow();
    if (current.differsInWordsAlone(definition, state)) {
      return changeWords(version, epoch, definition, context);
    }
    boolean stays = state == JobState.DISABLED && current.state() == JobState.DISABLED;
    Optional<Pause> pause = stays ? current.pause() : Optional.empty();
    return change(version, epoch, definition, state, pause, context);
  }

  /**
   * Changes the definition or state of a job that the caller has read, and sets its pause. Counters
   * stay. Fails like the change without a pause.
   *
   * @param epoch the collection's epoch as the caller knows it
   * @param pause details of the pause of a disabled job; empty for none
   * @return the written job, with its next occurrence
   */
  public Future<StoredJob> change(
      JobVersion version,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Pause> pause,
      AuditContext context) {
    Instant now = clock.instant();
    StoredJob current = version.job().orElseThrow();
    Rescheduled plan = rescheduled(version, current.name(), definition, state, false, now);
    NextDue nextDue = NextDue.changing(plan);
    return writer
        .write(
            new JobContent(current.name(), epoch, definition, state, pause),
            nextDue,
            Precondition.revision(current.revision()),
            context,
            now)
        .compose(
            written -> {
              check(written, current.name(), nextDue);
              StoredJob job =
                  current.rescheduled(
                      definition, state, written.revision(), plan.result(), pause, now);
              Future<Put> settled = settled(now, new Put(false, job), epoch, context);
              return recalled(settled, state == JobState.DISABLED, current.name()).map(Put::job);
            });
  }

  /** Changes only labels or description. Computes no occurrence, and recalls no attempt. */
  private Future<StoredJob> changeWords(
      JobVersion version, long epoch, JobDefinition definition, AuditContext context) {
    Instant now = clock.instant();
    StoredJob current = version.job().orElseThrow();
    return writer
        .writeWords(
            new JobContent(current.name(), epoch, definition, current.state(), Optional.empty()),
            version,
            context,
            now)
        .map(
            written -> {
              written.check(current.name());
              return current.saying(definition, written.revision(), now);
            });
  }

  private Rescheduled rescheduled(
      JobVersion version,
      JobName name,
      JobDefinition definition,
      JobState state,
      boolean replaces,
      Instant now) {
    Instant notAfter = now.plus(clock.uncertainty());
    return new Rescheduled(
        version,
        new Rescheduling(name, version, definition, state, calendars.get(), replaces, now, notAfter)
            .result());
  }

  /**
   * Deletes a job with its history and its waiting attempts. Fails with {@link
   * ErrorCode#JOB_NOT_FOUND} or {@link ErrorCode#PRECONDITION_FAILED}, or with a {@link
   * StaleCollectionException}.
   *
   * @param epoch the collection's epoch as the caller knows it
   */
  public Future<Void> delete(
      JobName name, long epoch, Precondition condition, AuditContext context) {
    return delete(name.key(), condition.argument(), epoch, audit.arguments(context))
        .compose(
            deletion ->
                switch (deletion) {
                  case DELETED -> Future.succeededFuture();
                  case WITHDRAWN -> notices.add(ChangeNotices.Kind.DELETED, name.key());
                  case MISSING -> throw JobReader.notFound(name);
                  case RETIRED -> throw new StaleCollectionException();
                  case REFUSED -> throw JobReader.conditionFailed(name);
                });
  }

  /** Removes a finished job whose retention is over. A job that runs again is left alone. */
  public Future<Void> purge(Purge purge) {
    String job = purge.job();
    int partition = keys.partition(job);
    return PURGE
        .on(link)
        .key("job", keys.job(partition, job))
        .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
        .key("history", keys.history(partition, job))
        .key("epochs", keys.epochs(partition))
        .key("finished", keys.finished(partition))
        .arg("key", job)
        .arg("entry", purge.entry())
        .arg("ended", Timestamps.formatMillis(Instant.ofEpochMilli(purge.ended())))
        .run();
  }

  private enum Deletion {
    DELETED,
    /** Deleted, but it had attempts that may be claimed and not sent. */
    WITHDRAWN,
    MISSING,
    REFUSED,
    RETIRED
  }

  private Future<Deletion> delete(String job, String condition, long epoch, List<String> noting) {
    int partition = keys.partition(job);
    return DELETE
        .on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
        .key("history", keys.history(partition, job))
        .key("epochs", keys.epochs(partition))
        .key("audit", keys.audit(partition))
        .arg("key", job)
        .arg("condition", condition)
        .arg("epoch", epoch)
        .args("audit_append", noting)
        .run();
  }

  /**
   * Requests an execution now, outside the schedule. Fails with {@link ErrorCode#JOB_NOT_FOUND},
   * {@link ErrorCode#JOB_DAMAGED}, or {@link ErrorCode#CONFLICT} for a completed or faulted job.
   *
   * @return the new execution, or that of an earlier request with the same key
   */
  public Future<RequestedExecution> requestExecution(
      JobName name, ExecutionRequest request, AuditContext context) {
    return request(name, request, context, context.at());
  }

  /**
   * Options of a requested execution.
   *
   * @param isAlone whether it must not overlap another execution; then the request also fails with
   *     CONFLICT while one is under way or waits
   * @param once identical in each repeat of a request; a repeat within a day adds nothing; empty if
   *     each call adds an execution
   */
  public record ExecutionRequest(boolean isAlone, Optional<String> once) {}

  /**
   * Execution that a client requested.
   *
   * @param id see {@link Attempt#executionId}
   * @param isRepeat whether an earlier request with the same key added it
   */
  public record RequestedExecution(String id, boolean isRepeat) {}

  /**
   * Reply of request_execution.
   *
   * @param revision revision of the attempt, if there is one
   * @param instant instant of the first request with this key, or of another request that this one
   *     must follow; else empty
   */
  private record Requested(Word word, OptionalLong revision, Optional<Instant> instant) {
    private enum Word {
      WAITING,
      REPEATED,
      MISSING,
      FINAL,
      OVERLAP,
      LATER
    }

    static Requested of(Response reply) {
      String[] words = reply.toString().split(" ", 3);
      Word word = Word.valueOf(words[0]);
      boolean hasRevision = word == Word.WAITING || word == Word.REPEATED;
      return new Requested(
          word,
          hasRevision ? OptionalLong.of(Long.parseLong(words[1])) : OptionalLong.empty(),
          word == Word.REPEATED || word == Word.LATER
              ? Optional.of(Instant.parse(words[words.length - 1]))
              : Optional.empty());
    }

    RequestedExecution execution(String job, Instant nominal) {
      Attempt first = attempt(job, nominal, revision.orElseThrow());
      return new RequestedExecution(first.executionId(), word == Word.REPEATED);
    }

    static Attempt attempt(String job, Instant nominal, long revision) {
      return new Attempt(job, nominal, Attempt.REQUESTED, Attempt.Phase.MAIN, 1, revision, 0);
    }
  }

  /**
   * @param nominal distinguishes this execution from others that were requested at the same time
   */
  private Future<RequestedExecution> request(
      JobName name, ExecutionRequest request, AuditContext context, Instant nominal) {
    String job = name.key();
    int partition = keys.partition(job);
    String attempt = Requested.attempt(job, nominal, 0).member();
    String upToRevision = attempt.substring(0, attempt.indexOf("revision=") + "revision=".length());
    return REQUEST_EXECUTION
        .on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("epochs", keys.epochs(partition))
        .key("audit", keys.audit(partition))
        .arg("attempt", upToRevision)
        .millis("due", context.at())
        .arg("requested", IsoInstant.text(nominal, FIXED_DIGITS))
        .args("audit_append", audit.arguments(context))
        .arg("overlap", request.isAlone ? "skip" : "")
        .arg("once", request.once.orElse(""))
        .run()
        .recover(failure -> JobReader.damagedWhereForeign(name, failure))
        .compose(
            requested ->
                switch (requested.word) {
                  case WAITING -> Future.succeededFuture(requested.execution(job, nominal));
                  case REPEATED ->
                      Future.succeededFuture(
                          requested.execution(job, requested.instant.orElseThrow()));
                  case LATER ->
                      request(name, request, context, requested.instant.orElseThrow().plusNanos(1));
                  case MISSING -> throw JobReader.notFound(name);
                  case OVERLAP ->
                      throw conflict(name, "is not run: another execution is under way.");
                  case FINAL ->
                      throw conflict(
                          name,
                          "is completed or faulted, so it cannot run; retry it, or PUT it again"
                              + " first.");
                });
  }

  private static JobException conflict(JobName name, String why) {
    return new JobException(ErrorCode.CONFLICT, "Job '" + name.job() + "' " + why);
  }
}
