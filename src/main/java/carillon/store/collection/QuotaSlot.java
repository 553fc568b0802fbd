package carillon.store.collection;

import carillon.job.JobName;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.LuaScript;
import carillon.redis.RedisLink;
import carillon.store.job.JobStore;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.List;

/**
 * The steps that a job's place in a bounded collection goes through; {@link JobQuota} says what
 * they are for. Confined to the event loop of its link.
 */
public final class QuotaSlot {
  private static final LuaScript TAKE = LuaScript.named("take_place");
  private static final LuaScript GIVE = LuaScript.named("give_place");

  private final RedisLink link;
  private final Keys keys;
  private final JobStore jobs;

  public QuotaSlot(RedisLink link, Keys keys, JobStore jobs) {
    this.link = link;
    this.keys = keys;
    this.jobs = jobs;
  }

  /** Whether the job may come into being. */
  enum Mode {
    NEW,
    OLD
  }

  /** What became of the job. */
  public enum Outcome {
    PRESENT,
    ABSENT,
    UNKNOWN
  }

  /** The reply of the script. */
  Future<Response> take(JobName name, Mode mode, Instant now) {
    return link.eval(
        TAKE,
        List.of(keys.collection(name.collection()), keys.places(name.collection())),
        List.of(Keys.nameOf(name), EpochMillis.text(now), mode == Mode.NEW ? "new" : "old"));
  }

  /**
   * Whoever turns out to be the last looks, and once more when somebody came and went meanwhile.
   */
  public Future<Void> give(JobName name, String token, Outcome outcome) {
    return give(name, token, outcome, "")
        .compose(
            word ->
                word.equals("SETTLED") || word.equals("OTHERS")
                    ? Future.succeededFuture()
                    : look(name).compose(seen -> give(name, word, seen)));
  }

  /** The holders are dead. Who comes now all the same takes the place again, and settles it. */
  Future<Void> giveForTheDead(JobName name, String token) {
    return look(name).compose(seen -> give(name, token, seen, "1")).mapEmpty();
  }

  /** Looks whether the job is there, and takes its place away if it is not. */
  public Future<Void> check(JobName name, Instant now) {
    return take(name, Mode.OLD, now)
        .compose(
            reply ->
                reply.get(0).toString().equals("TAKEN")
                    ? give(name, reply.get(1).toString(), Outcome.UNKNOWN)
                    : Future.succeededFuture());
  }

  private Future<Outcome> look(JobName name) {
    return jobs.exists(name).map(there -> there ? Outcome.PRESENT : Outcome.ABSENT);
  }

  private Future<String> give(JobName name, String token, Outcome outcome, String force) {
    String word =
        switch (outcome) {
          case PRESENT -> "present";
          case ABSENT -> "absent";
          case UNKNOWN -> "unknown";
        };
    return link.eval(
            GIVE,
            List.of(keys.collection(name.collection()), keys.places(name.collection())),
            List.of(Keys.nameOf(name), token, word, force))
        .map(Response::toString);
  }
}
