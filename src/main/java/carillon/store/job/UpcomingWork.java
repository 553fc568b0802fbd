package carillon.store.job;

import carillon.job.Attempt;
import carillon.job.WireWord;
import carillon.redis.EpochMillis;
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
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Reader of what comes next, over all partitions: reads the beginnings of each {@code due} and
 * {@code finished}, writes nothing.
 */
public final class UpcomingWork {
  private static final String JOB = "job:";
  private static final String RESUME = "resume:";

  /** Entries of a partition that are read at least where jobs are looked for. */
  private static final int MIN_OF_PARTITION = 64;

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
    /** An execution outside the schedule. */
    MANUAL("manual"),
    /** A first attempt that a node could not make: its target had no place, or the node died. */
    AGAIN("again"),
    /** An attempt that waits for its flow. */
    WAITING("waiting"),
    /** An attempt that waits for the end of another execution of its job. */
    BUFFERED("buffered"),
    /** The end of a pause. */
    RESUME("resume"),
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
  public record WaitingItem(Instant due, Kind kind, String job) {}

  /**
   * The earliest, in the order of their instants. Entries that nobody can read are left out: {@code
   * fsck} tells of them.
   *
   * @param limit most entries, 1..256; each partition is asked for as many
   */
  public Future<List<WaitingItem>> earliest(int limit) {
    return Partitions.all(keys, p -> earliest(p, limit))
        .map(
            all ->
                all.stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(WaitingItem::due).thenComparing(WaitingItem::job))
                    .limit(limit)
                    .toList());
  }

  /**
   * The jobs with the earliest next occurrences.
   *
   * @param jobs in the order of their instants
   * @param until any other job has its next occurrence at this instant or later; empty where there
   *     is none
   */
  public record NextJobs(List<WaitingItem> jobs, Optional<Instant> until) {}

  /**
   * The jobs that run next.
   *
   * @param limit most jobs, 1..1024
   */
  public Future<NextJobs> jobs(int limit) {
    int ofPartition = Math.max(MIN_OF_PARTITION, 2 * limit / keys.partitions());
    return Partitions.all(keys, partition -> due(partition, ofPartition))
        .map(all -> nextJobs(all, ofPartition, limit));
  }

  private static NextJobs nextJobs(List<List<WaitingItem>> all, int ofPartition, int limit) {
    Optional<Instant> unread =
        all.stream()
            .filter(partition -> partition.size() >= ofPartition)
            .map(partition -> partition.get(partition.size() - 1).due())
            .min(Comparator.naturalOrder());
    List<WaitingItem> jobs =
        all.stream()
            .flatMap(List::stream)
            .filter(one -> one.kind() == Kind.OCCURRENCE)
            .filter(one -> unread.filter(one.due()::isAfter).isEmpty())
            .sorted(Comparator.comparing(WaitingItem::due).thenComparing(WaitingItem::job))
            .toList();
    return jobs.size() <= limit
        ? new NextJobs(jobs, unread)
        : new NextJobs(jobs.subList(0, limit), Optional.of(jobs.get(limit).due()));
  }

  private Future<List<WaitingItem>> earliest(int partition, int limit) {
    Future<List<WaitingItem>> due = due(partition, limit);
    Future<List<WaitingItem>> removals =
        purges
            .first(partition, limit)
            .map(
                entries ->
                    entries.stream()
                        .filter(purge -> purges.isSound(partition, purge))
                        .map(
                            purge ->
                                new WaitingItem(purges.removal(purge), Kind.PURGE, purge.job()))
                        .toList());
    Future<List<WaitingItem>> buffered =
        first(
            keys.buffered(partition),
            limit,
            (member, at) -> attempt(member).map(a -> new WaitingItem(at, Kind.BUFFERED, a.job())));
    return Future.all(due, removals, buffered, forFlows(partition, limit))
        .map(
            all ->
                Stream.of(
                        due.result(),
                        removals.result(),
                        buffered.result(),
                        all.<List<WaitingItem>>resultAt(3))
                    .flatMap(List::stream)
                    .toList());
  }

  private Future<List<WaitingItem>> due(int partition, int limit) {
    return first(keys.due(partition), limit, UpcomingWork::waiting);
  }

  private Future<List<WaitingItem>> first(
      String list, int limit, BiFunction<String, Instant, Optional<WaitingItem>> read) {
    return link.send(Request.cmd(Command.ZRANGE).arg(list).arg(0).arg(limit - 1).arg("WITHSCORES"))
        .map(
            range ->
                range.stream()
                    .flatMap(
                        pair ->
                            read
                                .apply(
                                    pair.get(0).toString(),
                                    Instant.ofEpochMilli(pair.get(1).toLong()))
                                .stream())
                    .toList());
  }

  private Future<List<WaitingItem>> forFlows(int partition, int limit) {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.awaitedFlows(partition)).arg(0).arg(-1))
        .compose(
            flows ->
                Future.all(
                    flows.stream()
                        .map(flow -> forFlow(keys.waiting(partition, flow.toString()), limit))
                        .toList()))
        .map(lists -> lists.<List<WaitingItem>>list().stream().flatMap(List::stream).toList());
  }

  /** The scores of such a list are instants less the lead of a priority. */
  private Future<List<WaitingItem>> forFlow(String list, int limit) {
    return first(
        list,
        limit,
        (member, score) ->
            attempt(member)
                .map(
                    attempt ->
                        new WaitingItem(
                            Instant.ofEpochMilli(EpochMillis.of(attempt.dueAt())),
                            Kind.WAITING,
                            attempt.job())));
  }

  private static Optional<WaitingItem> waiting(String member, Instant due) {
    if (member.startsWith(JOB)) {
      return Optional.of(new WaitingItem(due, Kind.OCCURRENCE, member.substring(JOB.length())));
    }
    if (member.startsWith(RESUME)) {
      return Optional.of(new WaitingItem(due, Kind.RESUME, member.substring(RESUME.length())));
    }
    return attempt(member).map(attempt -> new WaitingItem(due, kind(attempt), attempt.job()));
  }

  private static Optional<Attempt> attempt(String member) {
    try {
      return Optional.of(Attempt.parse(member));
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
    return attempt.isRequested() ? Kind.MANUAL : Kind.AGAIN;
  }
}
