package carillon.store.collection;

import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.store.job.JobReader;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Repair of the quota of a full collection: finds entries without a job. Confined to the event loop
 * of its link.
 */
final class QuotaRepair {
  private static final int SLICE = 256;

  /**
   * Age from which the holder of an entry counts as dead. It exceeds the longest command, and the
   * longest delay before a writer sends it.
   */
  private static final Duration DEAD = Duration.ofMinutes(2);

  /** Factor of the instant in a score; the remainder is the number of holders. */
  private static final long HOLDERS = 1024;

  /** Number of settled entries to check, chosen at random. */
  private static final int SAMPLE = 16;

  private final RedisLink link;
  private final Keys keys;
  private final JobReader jobs;
  private final QuotaEntry entry;

  QuotaRepair(RedisLink link, Keys keys, JobReader jobs, QuotaEntry entry) {
    this.link = link;
    this.keys = keys;
    this.jobs = jobs;
    this.entry = entry;
  }

  /**
   * Settles entries in doubt whose holders must be dead.
   *
   * @param epoch epoch since which there is a bound
   * @return whether there was an entry in doubt or without a job, so that the caller may try again
   */
  Future<Boolean> repair(CollectionName collection, String epoch, Instant now) {
    return doubts(collection, epoch, now)
        .compose(any -> any ? Future.succeededFuture(true) : sample(collection, now));
  }

  private Future<Boolean> doubts(CollectionName collection, String epoch, Instant now) {
    long dead = now.minus(DEAD).toEpochMilli() * HOLDERS;
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.quota(collection))
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
                      .map(doubt -> settle(collection, epoch, doubt))
                      .toList();
              return Future.all(settled).map(doubts.size() > 0);
            });
  }

  private Future<Void> settle(CollectionName collection, String epoch, Response doubt) {
    return entry.settleForTheDead(
        collection.job(doubt.get(0).toString()), doubt.get(1).toLong() + " " + epoch);
  }

  /**
   * Checks some settled entries. They can lack a job after Redis lost its last writes, or after a
   * node died during a deletion.
   */
  private Future<Boolean> sample(CollectionName collection, Instant now) {
    return link.send(Request.cmd(Command.ZRANDMEMBER).arg(keys.quota(collection)).arg(SAMPLE))
        .compose(
            names -> {
              List<Future<Boolean>> lost =
                  names.stream()
                      .map(Objects::toString)
                      .map(collection::job)
                      .map(name -> checkIfLost(name, now))
                      .toList();
              return Future.all(lost).map(all -> lost.stream().anyMatch(Future::result));
            });
  }

  private Future<Boolean> checkIfLost(JobName name, Instant now) {
    return jobs.exists(name)
        .compose(there -> there ? Future.succeededFuture(false) : entry.check(name, now).map(true));
  }
}
