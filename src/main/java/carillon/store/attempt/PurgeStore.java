package carillon.store.attempt;

import carillon.job.name.JobKey;
import carillon.redis.ConditionalCommands;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Store of the finished jobs of each partition, in the order of their ends. It is a separate list,
 * so that many removals never delay a call. Confined to the event loop of its link.
 */
public final class PurgeStore {
  private static final Pattern ENTRY = Pattern.compile("(\\d{1,15}) (\\S+)");

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;
  private final Duration keepFinished;

  /**
   * Creates a store of finished jobs.
   *
   * @param keepFinished how long a completed or faulted job is kept
   */
  public PurgeStore(RedisLink link, Keys keys, InstantSource clock, Duration keepFinished) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
    this.keepFinished = keepFinished;
  }

  /**
   * Returns the entries to process now, among the first ones of a partition. These are entries that
   * are old enough, invalid entries (see {@link #isSound}), and entries with a future instant. A
   * future instant means that the clock was set back.
   *
   * @param limit maximum number of entries to read
   */
  public Future<List<Purge>> due(int partition, int limit) {
    Instant now = clock.instant();
    long oldEnough = now.minus(keepFinished).toEpochMilli();
    return first(partition, limit)
        .map(
            entries ->
                entries.stream()
                    .filter(purge -> purge.ended <= oldEnough || purge.ended > now.toEpochMilli())
                    .toList());
  }

  /**
   * Returns the first entries of a partition, in their order.
   *
   * @param limit maximum number of entries
   */
  public Future<List<Purge>> first(int partition, int limit) {
    return link.send(
            Request.cmd(Command.LRANGE).arg(keys.finished(partition)).arg(0).arg(limit - 1))
        .map(range -> range.stream().map(entry -> Purge.of(entry.toString())).toList());
  }

  /** Returns the instant at which a finished job is removed. */
  public Instant removal(Purge purge) {
    return Instant.ofEpochMilli(purge.ended).plus(keepFinished);
  }

  /**
   * Whether the time for which finished jobs are kept has passed since the end of the job, by this
   * clock.
   */
  public boolean isOldEnough(Purge purge) {
    return !removal(purge).isAfter(clock.instant());
  }

  /** Whether the entry names a job, and is in the partition of that job. */
  public boolean isSound(int partition, Purge purge) {
    try {
      return keys.partition(purge.job()) == partition && new JobKey(purge.job()).jobName() != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Moves an entry to the end of the list if it cannot be purged now, so that others can be. */
  public Future<Void> putOff(int partition, Purge purge) {
    String list = keys.finished(partition);
    return new ConditionalCommands()
        .then("LREM", list, "1", purge.entry())
        .then("RPUSH", list, purge.entry())
        .run(link, true)
        .mapEmpty();
  }

  /**
   * Entry of {@code finished}: the end of a job.
   *
   * @param entry text of the entry
   * @param job key of the job; empty text if the entry cannot be read
   * @param ended epoch ms; differs between two ends of the same job
   */
  public record Purge(String entry, String job, long ended) {
    /** Creates the entry for the end of a job at an instant. */
    public static Purge of(String job, Instant ended) {
      return of(ended.toEpochMilli() + " " + job);
    }

    /** Parses an entry of {@code finished}. */
    public static Purge of(String entry) {
      Matcher parts = ENTRY.matcher(entry);
      return parts.matches()
          ? new Purge(entry, parts.group(2), Long.parseLong(parts.group(1)))
          : new Purge(entry, "", 0);
    }
  }
}
