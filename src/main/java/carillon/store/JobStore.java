package carillon.store;

import carillon.codec.StoredForm;
import carillon.job.Change;
import carillon.job.ErrorCode;
import carillon.job.JobDefinition;
import carillon.job.JobException;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.Run;
import carillon.job.StoredJob;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Jobs as the API sees them: written, read, deleted, run. Every future may fail with {@link
 * ErrorCode#STORE_UNAVAILABLE}, after which the change may or may not have been made. Confined to
 * the event loop of its link.
 */
public final class JobStore {
  private static final LuaScript PUT = LuaScript.named("put_job");
  private static final LuaScript DELETE = LuaScript.named("delete_job");
  private static final LuaScript RUN = LuaScript.named("run_job");

  /** Of put_job. */
  private static final int ARGUMENTS = 13;

  /** What the engine does itself is no client's change. */
  private static final List<String> NOT_NOTED = List.of("", "");

  private final RedisLink link;
  private final Keys keys;
  private final AuditLog audit;

  JobStore(RedisLink link, Keys keys, AuditLog audit) {
    this.link = link;
    this.keys = keys;
    this.audit = audit;
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
   * Replaces everything but the history and the case of the name; counters begin again.
   *
   * @param epoch of the collection, as the caller knows it
   * @param next what is to wait, empty for a disabled job
   * @return fails with {@link ErrorCode#PRECONDITION_FAILED}, or with a {@link
   *     RetiredEpochException}
   */
  public Future<Put> put(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Instant> next,
      Precondition condition,
      Change change) {
    Instant now = change.at();
    return write(name, epoch, definition, state, next, condition.argument(), change, "replace")
        .map(
            written -> {
              StoredJob job =
                  new StoredJob(
                      written.name,
                      definition,
                      state,
                      written.revision,
                      next,
                      Optional.empty(),
                      1,
                      StoredJob.Counters.ZERO,
                      now,
                      now);
              return new Put(written.created, job);
            });
  }

  /**
   * Gives a job that was read before another definition or state; counters stay.
   *
   * @param epoch of the collection, as the caller knows it
   * @return fails with {@link ErrorCode#PRECONDITION_FAILED} when it was changed since, or with a
   *     {@link RetiredEpochException}
   */
  public Future<StoredJob> change(
      StoredJob current,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Instant> next,
      Change change) {
    return write(
            current.name(),
            epoch,
            definition,
            state,
            next,
            Long.toString(current.revision()),
            change,
            "change")
        .map(
            written ->
                new StoredJob(
                    current.name(),
                    definition,
                    state,
                    written.revision,
                    next,
                    current.last(),
                    current.occurrence(),
                    current.counters(),
                    current.created(),
                    change.at()));
  }

  /**
   * @param name in the case it was first given
   */
  private record Written(boolean created, long revision, JobName name) {}

  private Future<Written> write(
      JobName name,
      long epoch,
      JobDefinition definition,
      JobState state,
      Optional<Instant> next,
      String condition,
      Change change,
      String mode) {
    String job = name.key();
    int partition = keys.partition(job);
    Instant now = change.at();
    List<String> arguments = new ArrayList<>(ARGUMENTS);
    Collections.addAll(
        arguments,
        job,
        condition,
        Long.toString(now.toEpochMilli()),
        now.toString(),
        name.collection().collection() + "/" + name.job(),
        StoredForm.write(definition),
        state.word(),
        next.map(Instant::toString).orElse(""),
        next.map(Millis::text).orElse(""),
        mode,
        Long.toString(epoch));
    arguments.addAll(audit.arguments(change));
    return link.eval(
            PUT,
            List.of(
                keys.job(partition, job),
                keys.due(partition),
                keys.jobs(partition, Keys.collectionOf(job)),
                keys.epochs(partition),
                keys.audit(partition)),
            arguments)
        .map(reply -> written(name, reply.toString()));
  }

  private static Written written(JobName name, String reply) {
    if (reply.equals("REFUSED")) {
      throw conditionFailed(name);
    }
    if (reply.equals("RETIRED")) {
      throw new RetiredEpochException();
    }
    String[] words = reply.split(" ", 3);
    return new Written(
        words.length == 2,
        Long.parseLong(words[1]),
        words.length == 2 ? name : named(name, words[2]));
  }

  private static JobName named(JobName name, String stored) {
    return new JobName(name.collection(), stored.substring(stored.indexOf('/') + 1));
  }

  /** Fails with {@link ErrorCode#JOB_NOT_FOUND}. */
  public Future<StoredJob> get(JobName name) {
    return find(name).map(found -> found.orElseThrow(() -> notFound(name)));
  }

  /** Empty when there is none. */
  public Future<Optional<StoredJob>> find(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    Future<Response> fence = fence(partition, job);
    Future<Response> fields = link.send(Request.cmd(Command.HGETALL).arg(keys.job(partition, job)));
    return Future.all(fence, fields)
        .map(
            both -> {
              JobHash hash = new JobHash(fields.result());
              return hash.isMissing() || Fence.of(fence.result()).isDead(hash.epoch())
                  ? Optional.empty()
                  : Optional.of(hash.read(name.collection()));
            });
  }

  private Future<Response> fence(int partition, String job) {
    return link.send(
        Request.cmd(Command.HGET).arg(keys.epochs(partition)).arg(Keys.collectionOf(job)));
  }

  /** Whether the job exists, whatever it holds. */
  Future<Boolean> exists(JobName name) {
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
                  && !Fence.of(fence.result()).isDead(epoch == null ? 0 : epoch.toLong());
            });
  }

  /**
   * With its history and whatever waits. Fails with {@link ErrorCode#JOB_NOT_FOUND} or {@link
   * ErrorCode#PRECONDITION_FAILED}, or with a {@link RetiredEpochException}.
   *
   * @param epoch of the collection, as the caller knows it
   */
  public Future<Void> delete(JobName name, long epoch, Precondition condition, Change change) {
    return delete(name.key(), condition.argument(), Long.toString(epoch), audit.arguments(change))
        .map(
            word ->
                switch (word) {
                  case "DELETED" -> null;
                  case "MISSING" -> throw notFound(name);
                  case "RETIRED" -> throw new RetiredEpochException();
                  default -> throw conditionFailed(name);
                });
  }

  /**
   * Removes a job that has been final for as long as such jobs are kept; one that lives again is
   * left alone.
   */
  Future<Void> purge(String job) {
    return delete(job, "final", "", NOT_NOTED).mapEmpty();
  }

  private Future<String> delete(String job, String condition, String epoch, List<String> noting) {
    int partition = keys.partition(job);
    return link.eval(
            DELETE,
            List.of(
                keys.job(partition, job),
                keys.due(partition),
                keys.jobs(partition, Keys.collectionOf(job)),
                keys.history(partition, job),
                keys.epochs(partition),
                keys.audit(partition)),
            Stream.concat(Stream.of(job, condition, epoch), noting.stream()).toList())
        .map(Response::toString);
  }

  /**
   * Lets the job run once at that moment, outside its schedule. Fails with {@link
   * ErrorCode#JOB_NOT_FOUND}, or with {@link ErrorCode#CONFLICT} for a completed or faulted job.
   */
  public Future<Void> run(JobName name, Change change) {
    String job = name.key();
    int partition = keys.partition(job);
    String run = new Run(job, change.at(), Run.MANUAL, Run.Phase.MAIN, 1, 0, 0).text();
    String upToRevision = run.substring(0, run.indexOf("revision=") + "revision=".length());
    return link.eval(
            RUN,
            List.of(
                keys.job(partition, job),
                keys.due(partition),
                keys.epochs(partition),
                keys.audit(partition)),
            Stream.concat(
                    Stream.of(upToRevision, Millis.text(change.at())),
                    audit.arguments(change).stream())
                .toList())
        .map(
            word ->
                switch (word.toString()) {
                  case "WAITING" -> null;
                  case "MISSING" -> throw notFound(name);
                  default ->
                      throw new JobException(
                          ErrorCode.CONFLICT,
                          "Job '"
                              + name.job()
                              + "' is completed or faulted and cannot run; PUT it again.");
                });
  }

  static JobException notFound(JobName name) {
    return new JobException(ErrorCode.JOB_NOT_FOUND, "Job '" + name.job() + "' cannot be found.");
  }

  private static JobException conditionFailed(JobName name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        "Job '" + name.job() + "' is not in the state that If-Match or If-None-Match asks for.");
  }
}
