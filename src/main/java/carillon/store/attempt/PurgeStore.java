package carillon.store.attempt;

import carillon.job.JobKey;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Store of purges: of the finished jobs of each partition and when each is removed for good. A list
 * of its own, so that many purges never delay a call. Confined to the event loop of its link.
 */
public final class PurgeStore {
  private static final Duration LATER = Duration.ofMinutes(1);

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;

  public PurgeStore(RedisLink link, Keys keys, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Purges that are due in a partition, longest due first.
   *
   * @param limit most of them
   */
  public Future<List<Purge>> due(int partition, int limit) {
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.purges(partition))
                .arg("-inf")
                .arg(clock.millis())
                .arg("BYSCORE")
                .arg("LIMIT")
                .arg(0)
                .arg(limit)
                .arg("WITHSCORES"))
        .map(
            range ->
                range.stream()
                    .map(pair -> new Purge(pair.get(0).toString(), pair.get(1).toLong()))
                    .toList());
  }

  /** Whether it stands where its job lives, and names one. */
  public boolean isSound(int partition, Purge purge) {
    try {
      return keys.partition(purge.job()) == partition && new JobKey(purge.job()).jobName() != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Lets a purge that cannot be done now stand in nobody's way; if it is still the same. */
  public Future<Void> putOff(int partition, Purge purge) {
    String list = keys.purges(partition);
    String later = Long.toString(clock.instant().plus(LATER).toEpochMilli());
    return new ConditionalCommands()
        .when(Long.toString(purge.due()), "ZSCORE", list, purge.job())
        .then("ZADD", list, later, purge.job())
        .run(link, true)
        .mapEmpty();
  }

  /**
   * Purge of a finished job, as it stands in {@code purges}.
   *
   * @param job key of the job
   * @param due epoch ms; that of another end of the same job is another
   */
  public record Purge(String job, long due) {}
}
