package carillon.store.job;

import carillon.job.Attempt;
import carillon.job.WireWord;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.store.attempt.PurgeStore;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reader of what comes next, over all partitions: reads the beginnings of each {@code due} and
 * {@code finished}, writes nothing.
 */
public final class UpcomingWork {
  private static final String JOB = "job:";

  private final RedisLink link;
  private final Keys keys;
  private final PurgeStore purges;

  public UpcomingWork(RedisLink link, Keys keys, PurgeStore purges) {
    this.link = link;
    this.keys = keys;
    this.purges = purges;
  }

  /** Why something waits. */
  public enum Kind implements WireWord {
    /** The next occurrence of a job. */
    OCCURRENCE("occurrence"),
    /** A further attempt after a failed one. */
    RETRY("retry"),
    /** The error action of an execution. */
    ERROR_ACTION("errorAction"),
    /** A run outside the schedule. */
    MANUAL("manual"),
    /** A first attempt that a node could not make: its target had no place, or the node died. */
    AGAIN("again"),
    /** The removal of a finished job that is kept no longer. */
    PURGE("purge");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /**
   * Something that waits.
   *
   * @param due from when on
   * @param job key of the job, see {@link carillon.job.JobName#key}
   */
  public record Waiting(Instant due, Kind kind, String job) {}

  /**
   * The earliest, in the order of their instants. Entries that nobody can read are left out: {@code
   * fsck} tells of them.
   *
   * @param limit most entries, 1..256; each partition is asked for as many
   */
  public Future<List<Waiting>> earliest(int limit) {
    return Partitions.all(keys, p -> earliest(p, limit))
        .map(
            all ->
                all.stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(Waiting::due).thenComparing(Waiting::job))
                    .limit(limit)
                    .toList());
  }

  private Future<List<Waiting>> earliest(int partition, int limit) {
    Future<List<Waiting>> due = due(partition, limit);
    Future<List<Waiting>> removals =
        purges
            .first(partition, limit)
            .map(
                entries ->
                    entries.stream()
                        .filter(purge -> purges.isSound(partition, purge))
                        .map(purge -> new Waiting(purges.removal(purge), Kind.PURGE, purge.job()))
                        .toList());
    return Future.all(due, removals)
        .map(both -> Stream.concat(due.result().stream(), removals.result().stream()).toList());
  }

  private Future<List<Waiting>> due(int partition, int limit) {
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.due(partition))
                .arg(0)
                .arg(limit - 1)
                .arg("WITHSCORES"))
        .map(
            range ->
                range.stream()
                    .flatMap(
                        pair ->
                            waiting(
                                pair.get(0).toString(), Instant.ofEpochMilli(pair.get(1).toLong()))
                                .stream())
                    .toList());
  }

  private static Optional<Waiting> waiting(String member, Instant due) {
    if (member.startsWith(JOB)) {
      return Optional.of(new Waiting(due, Kind.OCCURRENCE, member.substring(JOB.length())));
    }
    try {
      Attempt attempt = Attempt.parse(member);
      return Optional.of(new Waiting(due, kind(attempt), attempt.job()));
    } catch (RuntimeException e) {
      return Optional.empty(); // damaged data must not hide what is sound
    }
  }

  private static Kind kind(Attempt attempt) {
    if (attempt.phase() == Attempt.Phase.ERROR) {
      return Kind.ERROR_ACTION;
    }
    if (!attempt.isFirst()) {
      return Kind.RETRY;
    }
    return attempt.isManual() ? Kind.MANUAL : Kind.AGAIN;
  }
}
