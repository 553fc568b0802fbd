package carillon.store.attempt;

import carillon.job.JobKey;
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
 * Store of the finished jobs of each partition, in the order in which they ended: a list of its
 * own, so that many removals never delay a call. Confined to the event loop of its link.
 */
public final class PurgeStore {
  private static final Pattern ENTRY = Pattern.compile("(\\d{1,15}) (\\S+)");

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;
  private final Duration keepFinished;

  /**
   * The finished jobs.
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
   * What is due to be removed in a partition: of the first entries those that are old enough, and
   * those that stand there wrongly ({@link #isSound}) or have an instant that is still to come, as
   * the clock was set back.
   *
   * @param limit how many entries are looked at
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
   * The first entries of a partition, in their order.
   *
   * @param limit most of them
   */
  public Future<List<Purge>> first(int partition, int limit) {
    return link.send(
            Request.cmd(Command.LRANGE).arg(keys.finished(partition)).arg(0).arg(limit - 1))
        .map(range -> range.stream().map(entry -> Purge.of(entry.toString())).toList());
  }

  /** When a finished job is removed. */
  public Instant removal(Purge purge) {
    return Instant.ofEpochMilli(purge.ended).plus(keepFinished);
  }

  /** Whether its job ended, by this clock, as long ago as finished jobs are kept. */
  public boolean isOldEnough(Purge purge) {
    return !removal(purge).isAfter(clock.instant());
  }

  /** Whether it stands where its job lives, and names one. */
  public boolean isSound(int partition, Purge purge) {
    try {
      return keys.partition(purge.job()) == partition && new JobKey(purge.job()).jobName() != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Puts one that cannot be done now behind all others, so that it stands in nobody's way. */
  public Future<Void> putOff(int partition, Purge purge) {
    String list = keys.finished(partition);
    return new ConditionalCommands()
        .then("LREM", list, "1", purge.entry())
        .then("RPUSH", list, purge.entry())
        .run(link, true)
        .mapEmpty();
  }

  /**
   * The end of a job, as it stands in {@code finished}.
   *
   * @param entry its text there
   * @param job key of the job; empty text where the entry cannot be read
   * @param ended epoch ms; that of another end of the same job is another
   */
  public record Purge(String entry, String job, long ended) {
    /** The end of a job at this instant. */
    public static Purge of(String job, Instant ended) {
      return of(ended.toEpochMilli() + " " + job);
    }

    /** Reads an entry of {@code finished}. */
    public static Purge of(String entry) {
      Matcher parts = ENTRY.matcher(entry);
      return parts.matches()
          ? new Purge(entry, parts.group(2), Long.parseLong(parts.group(1)))
          : new Purge(entry, "", 0);
    }
  }
}
