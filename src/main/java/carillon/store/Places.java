package carillon.store;

import carillon.job.CollectionName;
import carillon.job.ErrorCode;
import carillon.job.JobException;
import carillon.job.JobName;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the number of jobs of a collection within its bound, exactly, whoever writes at the same
 * time. Jobs live in many slots, so the collection has a set of names beside it, its places: every
 * job that exists has one, always.
 *
 * <p>Who writes or deletes a job takes its place first, which marks it as in doubt, and gives it
 * back afterwards as present or absent. When several hold one place at a time, the last of them
 * looks whether the job is there. A place whose holder died stays in doubt, and counts; when the
 * collection is full, doubts that are older than any command can be are settled by looking as well.
 *
 * <p>A collection without a bound has no places, and its jobs cost nothing here. Confined to the
 * event loop of its link.
 */
public final class Places {
  private static final Logger LOG = LoggerFactory.getLogger(Places.class);
  private static final LuaScript TAKE = LuaScript.named("take_place");
  private static final LuaScript GIVE = LuaScript.named("give_place");
  private static final int SLICE = 256;

  /** Longer than a command may take, and a writer may take to send it. */
  private static final Duration DEAD = Duration.ofMinutes(2);

  /** After so long a writer must not begin: its place could be taken for a dead one's. */
  private static final Duration USABLE = Duration.ofSeconds(30);

  /** How often, and how far apart, a full collection is asked again while places are in doubt. */
  private static final int ATTEMPTS = 6;

  private static final Duration PAUSE = Duration.ofMillis(20);

  /** In a score, how many hold the place stands below its instant. */
  private static final long HOLDERS = 1024;

  private final RedisLink link;
  private final Keys keys;
  private final JobStore jobs;
  private final PlaceCounter counter;
  private final InstantSource clock;

  Places(RedisLink link, Keys keys, JobStore jobs, Epochs epochs, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.jobs = jobs;
    this.counter = new PlaceCounter(link, keys, epochs, this::settleLost);
    this.clock = clock;
  }

  private enum Mode {
    NEW,
    OLD
  }

  private enum Outcome {
    PRESENT,
    ABSENT,
    UNKNOWN
  }

  /**
   * Writes a job that may be new. Fails as the write does, or with {@link ErrorCode#CONFLICT} when
   * the collection is full.
   */
  public <T> Future<T> writing(JobName name, Supplier<Future<T>> write) {
    return held(name, Mode.NEW, Outcome.PRESENT, write, ATTEMPTS);
  }

  /** Deletes a job. Fails as the deletion does. */
  public Future<Void> deleting(JobName name, Supplier<Future<Void>> deletion) {
    return held(name, Mode.OLD, Outcome.ABSENT, deletion, ATTEMPTS);
  }

  /**
   * Removes a job that has been final for as long as such jobs are kept; one that lives again is
   * left alone.
   *
   * @param job its key
   */
  public Future<Void> purge(String job) {
    JobName name = Keys.jobOf(job);
    return held(name, Mode.OLD, Outcome.UNKNOWN, () -> jobs.purge(job), ATTEMPTS);
  }

  /** Counts the jobs that were there before the bound was set, if that is still to be done. */
  public Future<Void> count(CollectionName collection) {
    return counter.count(collection);
  }

  private <T> Future<T> held(
      JobName name, Mode mode, Outcome success, Supplier<Future<T>> step, int attempts) {
    Instant now = clock.instant();
    CollectionName collection = name.collection();
    return link.eval(
            TAKE,
            List.of(keys.collection(collection), keys.places(collection)),
            List.of(Keys.nameOf(name), Millis.text(now), mode == Mode.NEW ? "new" : "old"))
        .compose(
            reply ->
                switch (reply.get(0).toString()) {
                  case "FREE" -> step.get();
                  case "TAKEN" -> taken(name, reply.get(1).toString(), now, success, step);
                  case "UNCOUNTED" ->
                      count(collection).compose(done -> held(name, mode, success, step, attempts));
                  default ->
                      settleDoubts(collection, now)
                          .compose(
                              doubts -> {
                                if (!doubts || attempts <= 1) {
                                  throw full(collection, reply);
                                }
                                return link.pause(PAUSE)
                                    .compose(
                                        passed -> held(name, mode, success, step, attempts - 1));
                              });
                });
  }

  private <T> Future<T> taken(
      JobName name, String token, Instant since, Outcome success, Supplier<Future<T>> step) {
    if (clock.instant().isAfter(since.plus(USABLE))) {
      return Future.failedFuture(
          new JobException(ErrorCode.STORE_UNAVAILABLE, "this node was held up; try again"));
    }
    return step.get()
        .transform(
            (result, failure) -> {
              if (failure != null && RedisLink.isUnavailable(failure)) {
                return Future.failedFuture(failure); // it may still be done: the doubt stays
              }
              Future<Void> given = give(name, token, failure == null ? success : Outcome.UNKNOWN);
              return given.transform(
                  done ->
                      failure == null
                          ? Future.succeededFuture(result)
                          : Future.failedFuture(failure));
            });
  }

  private Future<Void> give(JobName name, String token, Outcome outcome) {
    return settle(name, token, outcome)
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("job", name.key())
                    .addKeyValue("error", failure.getMessage())
                    .log("a place stays in doubt"));
  }

  /**
   * Whoever turns out to be the last looks, and once more when somebody came and went meanwhile.
   */
  private Future<Void> settle(JobName name, String token, Outcome outcome) {
    return give(name, token, outcome, false)
        .compose(
            word ->
                word.equals("SETTLED") || word.equals("OTHERS")
                    ? Future.succeededFuture()
                    : look(name).compose(seen -> settle(name, word, seen)));
  }

  private Future<Outcome> look(JobName name) {
    return jobs.exists(name).map(there -> there ? Outcome.PRESENT : Outcome.ABSENT);
  }

  private Future<String> give(JobName name, String token, Outcome outcome, boolean force) {
    return link.eval(
            GIVE,
            List.of(keys.places(name.collection())),
            List.of(
                Keys.nameOf(name),
                token,
                switch (outcome) {
                  case PRESENT -> "present";
                  case ABSENT -> "absent";
                  case UNKNOWN -> "unknown";
                },
                force ? "1" : ""))
        .map(Response::toString);
  }

  /** A job that was counted and is gone: nobody who deleted it may have known of the place. */
  private Future<Void> settleLost(JobName name) {
    return held(name, Mode.OLD, Outcome.UNKNOWN, Future::succeededFuture, ATTEMPTS);
  }

  /**
   * Settles doubts that are old; answers whether there was any doubt, so that one may ask again.
   */
  private Future<Boolean> settleDoubts(CollectionName collection, Instant now) {
    long dead = now.minus(DEAD).toEpochMilli() * HOLDERS;
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.places(collection))
                .arg("(0")
                .arg("+inf")
                .arg("BYSCORE")
                .arg("LIMIT")
                .arg(0)
                .arg(SLICE)
                .arg("WITHSCORES"))
        .compose(
            doubts -> {
              List<Future<Void>> settled =
                  doubts.stream()
                      .filter(doubt -> doubt.get(1).toLong() < dead)
                      .map(doubt -> settle(collection, doubt))
                      .toList();
              return Future.all(settled).map(doubts.size() > 0);
            });
  }

  /** Its holders are dead. Who comes now all the same takes it again, and settles it. */
  private Future<Void> settle(CollectionName collection, Response doubt) {
    JobName name = collection.job(doubt.get(0).toString());
    String token = Long.toString(doubt.get(1).toLong());
    return look(name).compose(seen -> give(name, token, seen, true)).mapEmpty();
  }

  private static JobException full(CollectionName collection, Response reply) {
    return new JobException(
        ErrorCode.CONFLICT,
        "Job collection '"
            + collection.collection()
            + "' has "
            + reply.get(1)
            + " jobs, and its quota maxJobCount allows "
            + reply.get(2)
            + "; delete a job or raise the quota.");
  }
}
