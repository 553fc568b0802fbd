package carillon.store.job;

import carillon.job.Attempt;
import carillon.job.AuditEntry.AuditContext;
import carillon.job.ErrorCode;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.JobVersion;
import carillon.job.Precondition;
import carillon.job.Rescheduling;
import carillon.job.ShortName;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.json.StoredJson;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.RedisObserver;
import carillon.redis.Script;
import carillon.redis.SharedClock;
import carillon.redis.StepBackDetector;
import carillon.store.attempt.HistoryBounds;
import carillon.store.attempt.Purge;
import carillon.store.audit.AuditLog;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Jobs as the API sees them: written, read, deleted, run. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}, after which the change may or may not have been made. Confined to
 * the event loop of its link.
 */
public final class JobStore {
  private static final Script<Optional<Seen>> LOOK = Script.returning("look_job", Seen::of);
  private static final Script<Written> PUT = Script.returning("put_job", Written::of);
  private static final Script<Deletion> DELETE = Script.returningWord("delete_job", Deletion.class);
  private static final Script<Asked> RUN = Script.returning("run_job", Asked::of);

  /** ISO of fixed width, so that the order of texts is the order of instants. */
  private static final DateTimeFormatter NINE_DIGITS =
      new DateTimeFormatterBuilder().appendInstant(9).toFormatter(Locale.ROOT);

  /** Characters of what is told of a damaged job. */
  private static final int LONGEST_REASON = 300;

  /** What the engine does itself is no client's change. */
  private static final List<String> NOT_NOTED = List.of("", "");

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;
  private final ChangeNotices notices;
  private final HistoryBounds bounds;
  private final RedisObserver observer;
  private final SharedClock clock;
  private final StepBackDetector stepBack;

  public JobStore(
      RedisLink link,
      Keys keys,
      AuditLog audit,
      ChangeNotices notices,
      HistoryBounds bounds,
      RedisObserver observer,
      SharedClock clock) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
    this.notices = notices;
    this.bounds = bounds;
    this.observer = observer;
    this.clock = clock;
    this.stepBack = new StepBackDetector(link, clock);
  }

  /**
   * A write that was made.
   *
   * @param created false when it replaced a job
   */
  public record Put(boolean created, StoredJob job) {}

  /** The partition that a job lives in. */
  public int partition(JobName name) {
    return keys.partition(name.key());
  }

  /**
   * Replaces everything but the history and the case of the name; counters begin again. The moment
   * of the change is this one.
   *
   * @param epoch of the collection, as the caller knows it
   * @param seen the job as {@link #standing} has seen it; empty when the caller did not look, or
   *     there was none
   * @return fails with {@link ErrorCode#PRECONDITION_FAILED}, with {@link ErrorCode#CONFLICT} when
   *     no occurrence is left, with a {@link StaleCollectionException}, or with a {@link
   *     MovedJobException}
   */
  public Future<Put> put(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Precondition condition,
      AuditContext change,
      Optional<JobVersion> seen) {
    Instant now = clock.instant();
    Optional<Scheduled> scheduled =
        seen.map(standing -> scheduled(standing, name, definition, state, true, now));
    Optional<Instant> next =
        scheduled.isPresent()
            ? scheduled.get().result().next()
            : Rescheduling.first(name, definition, state, now);
    Future<Put> made =
        write(
                name,
                epoch,
                definition,
                state,
                next,
                condition.argument(),
                change,
                scheduled,
                true,
                now)
            .map(
                written -> {
                  StoredJob job =
                      new StoredJob(
                          written.name(name),
                          definition,
                          state,
                          written.revision,
                          state == JobState.ENABLED ? next : Optional.empty(),
                          Optional.empty(),
                          1,
                          StoredJob.Counters.ZERO,
                          now,
                          now);
                  return new Put(written.isCreated(), job);
                });
    Future<Boolean> wentBack = stepBack.since(now);
    return made.compose(put -> settled(wentBack, put, epoch, change))
        .compose(put -> recalled(put, state == JobState.DISABLED && !put.created, name));
  }

  /** A write as it is, or rescheduled when Redis' clock was set back since it was computed. */
  private Future<Put> settled(Future<Boolean> wentBack, Put put, long epoch, AuditContext change) {
    return wentBack.compose(
        is -> is ? rescheduled(put, epoch, change) : Future.succeededFuture(put));
  }

  /**
   * Computes the next occurrence of a job once more; where that cannot be done, as it is being
   * changed again, it stays.
   */
  private Future<Put> rescheduled(Put put, long epoch, AuditContext change) {
    return standing(put.job.name())
        .compose(
            seen ->
                change(seen.orElseThrow(), epoch, put.job.definition(), put.job.state(), change))
        .map(job -> new Put(put.created, job))
        .otherwise(put);
  }

  /** After the answer, what was claimed and not sent of a job that runs no more is not sent. */
  private <T> Future<T> recalled(T written, boolean ended, JobName name) {
    return ended
        ? notices.add(ChangeNotices.Kind.DISABLED, name.key()).map(written)
        : Future.succeededFuture(written);
  }

  /**
   * Gives a job that was looked at before another definition or state; counters stay. The moment of
   * the change is this one.
   *
   * @param epoch of the collection, as the caller knows it
   * @return fails with {@link ErrorCode#CONFLICT} when no occurrence is left, with a {@link
   *     StaleCollectionException}, or, when the job is not as it was seen any more, with a {@link
   *     MovedJobException} or {@link ErrorCode#PRECONDITION_FAILED}
   */
  public Future<StoredJob> change(
      JobVersion seen, long epoch, JobDefinition definition, JobState state, AuditContext change) {
    Instant now = clock.instant();
    StoredJob current = seen.job().orElseThrow();
    Scheduled scheduled = scheduled(seen, current.name(), definition, state, false, now);
    Rescheduling.Result result = scheduled.result();
    Future<StoredJob> made =
        write(
                current.name(),
                epoch,
                definition,
                state,
                result.next(),
                Long.toString(current.revision()),
                change,
                Optional.of(scheduled),
                false,
                now)
            .map(
                written ->
                    new StoredJob(
                        current.name(),
                        definition,
                        state,
                        written.revision,
                        state == JobState.ENABLED ? result.next() : Optional.empty(),
                        current.last(),
                        result.occurrence(),
                        current.counters().withSkipped(result.skipped()),
                        current.created(),
                        now));
    Future<Boolean> wentBack = stepBack.since(now);
    return made.map(job -> new Put(false, job))
        .compose(put -> settled(wentBack, put, epoch, change))
        .map(Put::job)
        .compose(changed -> recalled(changed, state == JobState.DISABLED, current.name()));
  }

  /** The schedule of a job that is there, from a change on. */
  private record Scheduled(JobVersion seen, Rescheduling.Result result) {}

  private Scheduled scheduled(
      JobVersion seen,
      JobName name,
      JobDefinition definition,
      JobState state,
      boolean replaces,
      Instant now) {
    Instant notAfter = now.plus(clock.uncertainty());
    return new Scheduled(
        seen, new Rescheduling(seen, definition, state, replaces, now, notAfter).result(name));
  }

  /**
   * What put_job replies.
   *
   * @param revision of what was written; 0 when nothing was
   * @param storedName of a job that was replaced, {@code collection/job} in the case it was first
   *     given; else empty text
   */
  private record Written(Word word, long revision, String storedName) {
    private enum Word {
      CREATED,
      REPLACED,
      REFUSED,
      RETIRED,
      MOVED
    }

    static Written of(Response reply) {
      String[] words = reply.toString().split(" ", 3);
      return new Written(
          Word.valueOf(words[0]),
          words.length > 1 ? Long.parseLong(words[1]) : 0,
          words.length > 2 ? words[2] : "");
    }

    boolean isCreated() {
      return word == Word.CREATED;
    }

    /** The name that the job keeps. */
    JobName name(JobName given) {
      return isCreated() ? given : given.collection().job(ShortName.jobIn(storedName));
    }

    /** Throws when nothing was written. */
    Written check(JobName name) {
      return switch (word) {
        case CREATED, REPLACED -> this;
        case REFUSED -> throw conditionFailed(name);
        case RETIRED -> throw new StaleCollectionException();
        case MOVED -> throw new MovedJobException();
      };
    }
  }

  private Future<Written> write(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Instant> next,
      String condition,
      AuditContext change,
      Optional<Scheduled> scheduled,
      boolean replaces,
      Instant now) {
    String job = name.key();
    int partition = keys.partition(job);
    Script.Call<Written> call =
        PUT.on(link)
            .key("job", keys.job(partition, job))
            .key("due", keys.due(partition))
            .key("jobs", keys.jobs(partition, new JobKey(job).collection()))
            .key("epochs", keys.epochs(partition))
            .key("audit", keys.audit(partition))
            .key("purges", keys.purges(partition))
            .arg("key", job)
            .arg("condition", condition)
            .arg("now", now.toEpochMilli())
            .iso("now", now)
            .arg("name", ShortName.of(name).toString())
            .arg("definition", StoredJson.write(definition))
            .arg("state", state.word())
            .arg("next", next.map(Instant::toString).orElse(""))
            .arg("due", next.map(EpochMillis::text).orElse(""))
            .arg("mode", replaces ? "replace" : "change")
            .arg("epoch", epoch)
            .args("note", audit.arguments(change));
    scheduled.ifPresent(schedule -> add(call, job, schedule, now));
    return call.run()
        .map(
            written -> {
              written.check(name);
              scheduled
                  .filter(schedule -> schedule.result().skipped() > 0)
                  .ifPresent(schedule -> observer.skipped(schedule.result().skipped()));
              return written;
            });
  }

  private void add(Script.Call<Written> call, String job, Scheduled scheduled, Instant now) {
    Rescheduling.Result result = scheduled.result();
    call.arg("standing", scheduled.seen().text())
        .arg(
            "waiting",
            result.released().map(Attempt::member).orElse(result.waits() ? "job:" + job : ""))
        .arg("skipped", result.skipped())
        .arg("entry", result.entry().map(StoredJson::write).orElse(""))
        .args("bounds", bounds.arguments(now));
    result.claimed().ifPresent(at -> addField(call, "claimed", at.toString()));
    result.running().ifPresent(revision -> addField(call, "running", revision.toString()));
    result.withheld().ifPresent(attempt -> addField(call, "withheld", attempt.member()));
    if (result.occurrence() > 1) {
      addField(call, "occurrence", Integer.toString(result.occurrence()));
    }
  }

  private static void addField(Script.Call<Written> call, String field, String value) {
    call.arg("name", field).arg("name", value);
  }

  /**
   * What look_job replies of a job that is there.
   *
   * @param standing for comparison only
   * @param waits whether its next occurrence waits
   */
  private record Seen(String standing, boolean waits, JobHash hash) {
    static Optional<Seen> of(Response reply) {
      return reply.size() == 0
          ? Optional.empty()
          : Optional.of(
              new Seen(
                  reply.get(0).toString(),
                  !reply.get(1).toString().isEmpty(),
                  new JobHash(reply.get(2))));
    }
  }

  /** The job as a change of it must know it; empty when there is none. */
  public Future<Optional<JobVersion>> standing(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    return LOOK.on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("epochs", keys.epochs(partition))
        .arg("key", job)
        .run()
        .map(seen -> seen.map(is -> is.hash.standing(is.standing, is.waits, name.collection())));
  }

  /** Fails with {@link ErrorCode#JOB_NOT_FOUND} or {@link ErrorCode#JOB_DAMAGED}. */
  public Future<StoredJob> get(JobName name) {
    return find(name).map(found -> found.orElseThrow(() -> notFound(name)));
  }

  /** Empty when there is none. Fails with {@link ErrorCode#JOB_DAMAGED}. */
  public Future<Optional<StoredJob>> find(JobName name) {
    return look(name)
        .map(
            found ->
                found.map(
                    one -> {
                      if (one.damaged().isPresent()) {
                        throw damaged(one.damaged().get());
                      }
                      return one.job().orElseThrow();
                    }));
  }

  /**
   * What stands under the name of a job.
   *
   * @param job the job, unless it is damaged
   * @param damaged why not, where it is
   */
  public record Found(Optional<StoredJob> job, Optional<DamagedJob> damaged) {}

  /** Like {@link #find}, and a damaged job is no failure. */
  public Future<Optional<Found>> look(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    Future<Response> fence = fence(partition, job);
    Future<Response> fields = link.send(Request.cmd(Command.HGETALL).arg(keys.job(partition, job)));
    return Future.all(fence, fields)
        .map(
            both -> {
              JobHash hash = new JobHash(fields.result());
              return hash.isMissing() || EpochFence.of(fence.result()).isDead(hash.epoch())
                  ? Optional.empty()
                  : Optional.of(read(hash, name));
            });
  }

  private static Found read(JobHash hash, JobName name) {
    try {
      return new Found(Optional.of(hash.read(name.collection())), Optional.empty());
    } catch (RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      String start = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
      return new Found(Optional.empty(), Optional.of(new DamagedJob(name, start)));
    }
  }

  private static JobException damaged(DamagedJob job) {
    return new JobException(
        ErrorCode.JOB_DAMAGED,
        "Job '"
            + job.name().job()
            + "' is damaged in Redis: "
            + job.reason()
            + ". PUT it anew or DELETE it.");
  }

  private Future<Response> fence(int partition, String job) {
    return link.send(
        Request.cmd(Command.HGET).arg(keys.epochs(partition)).arg(new JobKey(job).collection()));
  }

  /** Whether the job exists, whatever it holds. */
  public Future<Boolean> exists(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    Future<Response> fence = fence(partition, job);
    Future<Response> fields =
        link.send(
            Request.cmd(Command.HMGET).arg(keys.job(partition, job)).arg("revision").arg("epoch"));
    return Future.all(fence, fields)
        .map(
            both -> {
              Response epoch = fields.result().get(1);
              return fields.result().get(0) != null
                  && !EpochFence.of(fence.result()).isDead(epoch == null ? 0 : epoch.toLong());
            });
  }

  /**
   * With its history and whatever waits. Fails with {@link ErrorCode#JOB_NOT_FOUND} or {@link
   * ErrorCode#PRECONDITION_FAILED}, or with a {@link StaleCollectionException}.
   *
   * @param epoch of the collection, as the caller knows it
   */
  public Future<Void> delete(
      JobName name, long epoch, Precondition condition, AuditContext change) {
    return delete(name.key(), condition.argument(), epoch, audit.arguments(change))
        .compose(
            deletion ->
                switch (deletion) {
                  case DELETED -> Future.succeededFuture();
                  case WITHDRAWN -> notices.add(ChangeNotices.Kind.DELETED, name.key());
                  case MISSING -> throw notFound(name);
                  case RETIRED -> throw new StaleCollectionException();
                  case REFUSED -> throw conditionFailed(name);
                });
  }

  /**
   * Removes a job that has been final for as long as such jobs are kept; one that lives again is
   * left alone.
   */
  public Future<Void> purge(Purge purge) {
    return delete(purge.job(), "final", purge.due(), NOT_NOTED).mapEmpty();
  }

  private enum Deletion {
    DELETED,
    /** It had attempts, which may be claimed and not sent. */
    WITHDRAWN,
    MISSING,
    REFUSED,
    RETIRED
  }

  /**
   * @param epoch of the collection; of a purge, when it is due
   */
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
        .key("purges", keys.purges(partition))
        .arg("key", job)
        .arg("condition", condition)
        .arg("epoch", epoch)
        .args("note", noting)
        .run();
  }

  /**
   * Lets the job run once at that moment, outside its schedule; as often as it is asked for. Fails
   * with {@link ErrorCode#JOB_NOT_FOUND}, or with {@link ErrorCode#CONFLICT} for a completed or
   * faulted job.
   */
  public Future<Void> run(JobName name, AuditContext change) {
    return run(name, change, change.at());
  }

  /**
   * What run_job replies.
   *
   * @param later instant of another such run, after which this one's must be; else empty
   */
  private record Asked(Word word, Optional<Instant> later) {
    private enum Word {
      WAITING,
      MISSING,
      FINAL,
      LATER
    }

    static Asked of(Response reply) {
      String[] words = reply.toString().split(" ", 2);
      return new Asked(
          Word.valueOf(words[0]),
          words.length > 1 ? Optional.of(Instant.parse(words[1])) : Optional.empty());
    }
  }

  /**
   * @param nominal tells this run from others that were asked for at the same moment
   */
  private Future<Void> run(JobName name, AuditContext change, Instant nominal) {
    String job = name.key();
    int partition = keys.partition(job);
    String run = new Attempt(job, nominal, Attempt.MANUAL, Attempt.Phase.MAIN, 1, 0, 0).member();
    String upToRevision = run.substring(0, run.indexOf("revision=") + "revision=".length());
    return RUN.on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("epochs", keys.epochs(partition))
        .key("audit", keys.audit(partition))
        .arg("run", upToRevision)
        .millis("due", change.at())
        .arg("asked", NINE_DIGITS.format(nominal))
        .args("note", audit.arguments(change))
        .run()
        .compose(
            asked ->
                switch (asked.word) {
                  case WAITING -> Future.succeededFuture();
                  case LATER -> run(name, change, asked.later.orElseThrow().plusNanos(1));
                  case MISSING -> throw notFound(name);
                  case FINAL ->
                      throw new JobException(
                          ErrorCode.CONFLICT,
                          "Job '"
                              + name.job()
                              + "' is completed or faulted and cannot run; PUT it again.");
                });
  }

  public static JobException notFound(JobName name) {
    return new JobException(ErrorCode.JOB_NOT_FOUND, "Job '" + name.job() + "' cannot be found.");
  }

  private static JobException conditionFailed(JobName name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        "Job '" + name.job() + "' is not in the state that If-Match or If-None-Match asks for.");
  }
}
