package carillon.store.job;

import carillon.job.JobVersion;
import carillon.job.StoredJob;
import carillon.job.StoredJob.DamagedJob;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.redis.route.RedisErrors;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of single jobs. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}. Confined
 * to the event loop of its link.
 */
public final class JobReader {
  private static final Script<Optional<Reply>> READ = Script.returning("read_job", Reply::of);

  /** Maximum length of the reason why a job is damaged, in characters. */
  private static final int MAX_REASON_LENGTH = 300;

  private final RedisLink link;
  private final Keys keys;

  JobReader(RedisLink link, Keys keys) {
    this.link = link;
    this.keys = keys;
  }

  /** Returns the partition of a job. */
  public int partition(JobName name) {
    return keys.partition(name.key());
  }

  /**
   * Reply of read_job for an existing job.
   *
   * @param fingerprint for comparison only
   * @param isScheduled whether its next occurrence waits
   */
  private record Reply(String fingerprint, boolean isScheduled, JobHash hash) {
    static Optional<Reply> of(Response reply) {
      return reply.size() == 0
          ? Optional.empty()
          : Optional.of(
              new Reply(
                  reply.get(0).toString(),
                  !reply.get(1).toString().isEmpty(),
                  new JobHash(reply.get(2))));
    }
  }

  /** Returns the version of a job that a change needs; empty if there is no job. */
  public Future<Optional<JobVersion>> version(JobName name) {
    String job = name.key();
    int partition = keys.partition(job);
    return READ.on(link)
        .key("job", keys.job(partition, job))
        .key("due", keys.due(partition))
        .key("epochs", keys.epochs(partition))
        .arg("key", job)
        .run()
        .map(found -> found.map(it -> it.hash.version(it.fingerprint, it.isScheduled, name)))
        .recover(failure -> damagedWhereForeign(name, failure));
  }

  /**
   * Returns how many executions of the job have failed consecutively. Only jobs with a limit count
   * them; for others it is 0.
   */
  public Future<Integer> failuresInARow(JobName name) {
    String job = name.key();
    String key = keys.job(keys.partition(job), job);
    return link.send(Request.cmd(Command.HGET).arg(key).arg("streak"))
        .map(streak -> streak == null ? 0 : streak.toInteger());
  }

  /**
   * Returns the job with this name. Fails with {@link ErrorCode#JOB_NOT_FOUND} or {@link
   * ErrorCode#JOB_DAMAGED}.
   */
  public Future<StoredJob> get(JobName name) {
    return find(name).map(found -> found.orElseThrow(() -> notFound(name)));
  }

  /**
   * Returns the job with this name; empty if there is none. Fails with {@link
   * ErrorCode#JOB_DAMAGED}.
   */
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
   * A job, or the reason why it cannot be read.
   *
   * @param job the job, unless it is damaged
   * @param damaged the reason if it is damaged
   */
  public record Found(Optional<StoredJob> job, Optional<DamagedJob> damaged) {}

  /**
   * Returns the job with this name, or the reason why it cannot be read; empty if there is none.
   */
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
                  ? Optional.<Found>empty()
                  : Optional.of(read(hash, name));
            })
        .recover(failure -> unlessForeign(fields, failure, Optional.of(foreign(name))));
  }

  /** Recovers if the job's key holds another type, which the next write moves aside. */
  private static <T> Future<T> unlessForeign(
      Future<Response> fields, Throwable failure, T otherwise) {
    return fields.failed() && RedisErrors.isWrongType(fields.cause())
        ? Future.succeededFuture(otherwise)
        : Future.failedFuture(failure);
  }

  private static Found foreign(JobName name) {
    return new Found(Optional.empty(), Optional.of(foreignJob(name)));
  }

  private static DamagedJob foreignJob(JobName name) {
    return new DamagedJob(name, "its key holds no hash");
  }

  /**
   * Fails with JOB_DAMAGED if a script failed because the job's key holds another type, else with
   * the failure itself.
   */
  static <T> Future<T> damagedWhereForeign(JobName name, Throwable failure) {
    return Future.failedFuture(
        RedisErrors.isWrongType(failure) ? damaged(foreignJob(name)) : failure);
  }

  private static Found read(JobHash hash, JobName name) {
    try {
      return new Found(Optional.of(hash.read(name)), Optional.empty());
    } catch (RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      String start = reason.substring(0, Math.min(reason.length(), MAX_REASON_LENGTH));
      return new Found(Optional.empty(), Optional.of(new DamagedJob(name, start)));
    }
  }

  /** Returns the failure for a job that cannot be read. */
  public static JobException damaged(DamagedJob job) {
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

  /** Whether the job exists, even if it cannot be read. */
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
              long epoch = JobHash.epoch(fields.result().get(1));
              return fields.result().get(0) != null && !EpochFence.of(fence.result()).isDead(epoch);
            })
        .recover(failure -> unlessForeign(fields, failure, true));
  }

  /** Returns the failure for a missing job. */
  public static JobException notFound(JobName name) {
    return new JobException(ErrorCode.JOB_NOT_FOUND, "Job '" + name.job() + "' cannot be found.");
  }

  static JobException conditionFailed(JobName name) {
    return new JobException(
        ErrorCode.PRECONDITION_FAILED,
        "Job '" + name.job() + "' is not in the state that If-Match or If-None-Match asks for.");
  }

  /**
   * Fence of a collection in one partition against its earlier epochs; see the script fragment
   * {@code epoch_fence}.
   *
   * @param dead jobs of this epoch or an older one were deleted with their collection
   */
  record EpochFence(long dead) {
    private static final EpochFence NONE = new EpochFence(-1);
    private static final Pattern EPOCHS = Pattern.compile("-?\\d{1,18} (-?\\d{1,18})");

    /**
     * Parses the field of {@code {17}:epochs}. An unreadable one counts as none.
     *
     * @param field null for most collections
     */
    static EpochFence of(Response field) {
      if (field == null) {
        return NONE;
      }
      Matcher epochs = EPOCHS.matcher(field.toString());
      return epochs.matches() ? new EpochFence(Long.parseLong(epochs.group(1))) : NONE;
    }

    boolean isDead(long epoch) {
      return dead >= 0 && epoch <= dead;
    }
  }
}
