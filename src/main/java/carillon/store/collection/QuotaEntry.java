package carillon.store.collection;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
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

  /** Returns the number of entries. */
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
   * Result of a reservation.
   *
   * @param token token of a reserved entry, for its settlement; else empty
   * @param full details of a full collection, else empty
   */
  record Reservation(Word word, String token, Optional<Full> full) {
    enum Word {
      RESERVED,
      /** The collection has no bound, and no entries. */
      FREE,
      /** An old job has no entry. */
      NONE,
      FULL,
      /** The jobs that are older than the bound are not all counted yet. */
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
   * @param epoch epoch since which there is a bound
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
   * Settles an entry after a write. The last of several holders checks whether the job exists, and
   * checks again if other holders came and went in the meantime.
   */
  public Future<Void> settle(JobName name, String token, Outcome outcome) {
    return settle(name, token, outcome, "")
        .compose(
            last ->
                last.isEmpty()
                    ? Future.succeededFuture()
                    : look(name).compose(held -> settle(name, last.get(), held)));
  }

  /**
   * Settles an entry whose holders are dead. A new holder reserves the entry again, and settles it.
   */
  Future<Void> settleForTheDead(JobName name, String token) {
    return look(name).compose(held -> settle(name, token, held, "1")).mapEmpty();
  }

  /** Removes the entry if the job does not exist. */
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

  /**
   * Returns the token for the last holder; empty if the entry is settled or others still hold it.
   */
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
