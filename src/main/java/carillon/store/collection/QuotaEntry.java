package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.job.JobName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.job.JobReader;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Optional;

/**
 * Entry of a job in the quota of its collection: reserved, settled or checked; see {@link
 * JobQuota}. Confined to the event loop of its link.
 */
public final class QuotaEntry {
  private static final Script<Reservation> RESERVE =
      Script.returning("quota_reserve", Reservation::of);
  private static final Script<Optional<String>> SETTLE =
      Script.returning("quota_settle", QuotaEntry::ownToken);

  private final RedisLink link;
  private final Keys keys;
  private final JobReader jobs;

  public QuotaEntry(RedisLink link, Keys keys, JobReader jobs) {
    this.link = link;
    this.keys = keys;
    this.jobs = jobs;
  }

  /** How many entries there are. */
  Future<Long> used(CollectionName collection) {
    return link.send(Request.cmd(Command.ZCARD).arg(keys.quota(collection))).map(Response::toLong);
  }

  /** Whether the write may create the job. */
  enum ReservationMode {
    NEW,
    OLD
  }

  /** Outcome of the write of the job. */
  public enum Outcome {
    PRESENT,
    ABSENT,
    UNKNOWN
  }

  /**
   * Result of reserving an entry.
   *
   * @param token of an entry that was reserved, for who settles it; else empty
   * @param full of a collection that is full, else empty
   */
  record Reservation(Word word, String token, Optional<Full> full) {
    enum Word {
      RESERVED,
      /** There is no bound, and there are no entries. */
      FREE,
      /** An old job has no entry. */
      NONE,
      FULL,
      /** The jobs that were there before the bound was set are not all counted. */
      PENDING
    }

    static Reservation of(Response reply) {
      Word word = Script.word(Word.class, reply.get(0));
      return new Reservation(
          word,
          word == Word.RESERVED ? reply.get(1).toString() : "",
          word == Word.FULL
              ? Optional.of(
                  new Full(reply.get(1).toLong(), reply.get(2).toLong(), reply.get(3).toString()))
              : Optional.empty());
    }
  }

  /**
   * A full collection.
   *
   * @param epoch since which there is a bound
   */
  record Full(long count, long limit, String epoch) {}

  Future<Reservation> reserve(JobName name, ReservationMode mode, Instant now) {
    return RESERVE
        .on(link)
        .key("collection", keys.collection(name.collection()))
        .key("quota", keys.quota(name.collection()))
        .arg("job", name.folded())
        .millis("now", now)
        .arg("mode", mode == ReservationMode.NEW ? "new" : "old")
        .run();
  }

  /**
   * Whoever turns out to be the last looks, and once more when somebody came and went meanwhile.
   */
  public Future<Void> settle(JobName name, String token, Outcome outcome) {
    return settle(name, token, outcome, "")
        .compose(
            last ->
                last.isEmpty()
                    ? Future.succeededFuture()
                    : look(name).compose(held -> settle(name, last.get(), held)));
  }

  /** The holders are dead. Who comes now all the same reserves the entry again, and settles it. */
  Future<Void> settleForTheDead(JobName name, String token) {
    return look(name).compose(held -> settle(name, token, held, "1")).mapEmpty();
  }

  /** Removes the entry if the job is not there. */
  public Future<Void> check(JobName name, Instant now) {
    return reserve(name, ReservationMode.OLD, now)
        .compose(
            reserved ->
                reserved.word() == Reservation.Word.RESERVED
                    ? settle(name, reserved.token(), Outcome.UNKNOWN)
                    : Future.succeededFuture());
  }

  private Future<Outcome> look(JobName name) {
    return jobs.exists(name).map(there -> there ? Outcome.PRESENT : Outcome.ABSENT);
  }

  /** Empty when there is no doubt left, or others still hold the entry. */
  private static Optional<String> ownToken(Response reply) {
    String text = reply.toString();
    return text.equals("SETTLED") || text.equals("OTHERS") ? Optional.empty() : Optional.of(text);
  }

  private Future<Optional<String>> settle(
      JobName name, String token, Outcome outcome, String force) {
    String word =
        switch (outcome) {
          case PRESENT -> "present";
          case ABSENT -> "absent";
          case UNKNOWN -> "unknown";
        };
    return SETTLE
        .on(link)
        .key("collection", keys.collection(name.collection()))
        .key("quota", keys.quota(name.collection()))
        .arg("job", name.folded())
        .arg("token", token)
        .arg("outcome", word)
        .arg("force", force)
        .run();
  }
}
