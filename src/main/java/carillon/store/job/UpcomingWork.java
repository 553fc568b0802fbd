package carillon.store.job;

import carillon.job.Attempt;
import carillon.job.JobName;
import carillon.job.WireWord;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.store.attempt.PurgeStore;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Reader of what comes next, over all partitions: reads the beginnings of each {@code due} and
 * {@code finished}, writes nothing.
 */
public final class UpcomingWork {
  private static final String JOB = "job:";
  private static final String RESUME = "resume:";

  /** Entries of a partition that are read at least where jobs are looked for. */
  private static final int MIN_OF_PARTITION = 64;

  /** Entries of each list that are looked through for one job. */
  private static final int OF_ONE_JOB = 1000;

  private static final String ANY = "";

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
    OCCURRENCE,
    /** A further attempt after a failed one. */
    RETRY,
    /** The error action of an execution. */
    ERROR_ACTION,
    /** An execution outside the schedule. */
    MANUAL,
    /** A first attempt that a node could not make: its target had no place, or the node died. */
    AGAIN,
    /** An attempt that waits for its flow. */
    WAITING,
    /** An attempt that waits for the end of another execution of its job. */
    BUFFERED,
    /** The end of a pause. */
    RESUME,
    /** The removal of a finished job that is kept no longer. */
    PURGE;
  }

  /**
   * Something that waits.
   *
   * @param due from when on
   * @param job key of the job, see {@link JobName#key}
   * @param attempt that waits; absent where a job waits and no attempt
   * @param flow key of the flow that the attempt waits for
   */
  public record WaitingItem(
      Instant due, Kind kind, String job, Optional<Attempt> attempt, Optional<String> flow) {
    private static final Comparator<WaitingItem> BY_INSTANT =
        Comparator.comparing(WaitingItem::due).thenComparing(WaitingItem::job);

    private static WaitingItem of(Instant due, Kind kind, String job) {
      return new WaitingItem(due, kind, job, Optional.empty(), Optional.empty());
    }

    private static WaitingItem of(Instant due, Kind kind, Attempt attempt) {
      return new WaitingItem(due, kind, attempt.job(), Optional.of(attempt), Optional.empty());
    }
  }

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
                    .sorted(WaitingItem.BY_INSTANT)
                    .limit(limit)
                    .toList());
  }

  /**
   * The attempts of a job that wait, in the order of their instants: those among the first {@link
   * #OF_ONE_JOB} entries of each list of its partition.
   *
   * @param job its key
   */
  public Future<List<WaitingItem>> ofJob(String job) {
    int partition = JobName.partition(job, keys.partitions());
    String attempts = Attempt.PREFIX + job + " ";
    return Future.all(
            due(partition, OF_ONE_JOB, attempts),
            buffered(partition, OF_ONE_JOB, attempts),
            forFlows(partition, OF_ONE_JOB, attempts))
        .map(
            lists ->
                lists.<List<WaitingItem>>list().stream()
                    .flatMap(List::stream)
                    .sorted(WaitingItem.BY_INSTANT)
                    .toList());
  }

  /**
   * The jobs with the earliest next occurrences.
   *
   * @param jobs in the order of their instants
   * @param until any other job has its next occurrence at this instant or later; empty where there
   *     is none
   * @param others about how many other jobs wait: their retries may be among them
   */
  public record NextJobs(List<WaitingItem> jobs, Optional<Instant> until, long others) {}

  /**
   * The jobs that run next.
   *
   * @param limit most jobs, 1..1024
   */
  public Future<NextJobs> jobs(int limit) {
    int ofPartition = Math.max(MIN_OF_PARTITION, 2 * limit / keys.partitions());
    return Future.all(
            Partitions.all(keys, partition -> due(partition, ofPartition, ANY)),
            Partitions.all(keys, this::size))
        .map(both -> nextJobs(both.resultAt(0), sum(both.resultAt(1)), ofPartition, limit));
  }

  private Future<Long> size(int partition) {
    return link.send(Request.cmd(Command.ZCARD).arg(keys.due(partition))).map(Response::toLong);
  }

  private static long sum(List<Long> sizes) {
    return sizes.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The first of what was read.
   *
   * @param size of all lists
   */
  private static NextJobs nextJobs(
      List<List<WaitingItem>> all, long size, int ofPartition, int limit) {
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
            .sorted(WaitingItem.BY_INSTANT)
            .toList();
    if (jobs.size() > limit) {
      return new NextJobs(
          jobs.subList(0, limit), Optional.of(jobs.get(limit).due()), others(all, size, limit));
    }
    return new NextJobs(jobs, unread, unread.isEmpty() ? 0 : others(all, size, jobs.size()));
  }

  /** What was read and is no occurrence does not count, and neither do the jobs that are told. */
  private static long others(List<List<WaitingItem>> all, long size, int told) {
    long none =
        all.stream().flatMap(List::stream).filter(one -> one.kind() != Kind.OCCURRENCE).count();
    return Math.max(0, size - none - told);
  }

  private Future<List<WaitingItem>> earliest(int partition, int limit) {
    return Future.all(
            due(partition, limit, ANY),
            removals(partition, limit),
            buffered(partition, limit, ANY),
            forFlows(partition, limit, ANY))
        .map(lists -> lists.<List<WaitingItem>>list().stream().flatMap(List::stream).toList());
  }

  private Future<List<WaitingItem>> removals(int partition, int limit) {
    return purges
        .first(partition, limit)
        .map(
            entries ->
                entries.stream()
                    .filter(purge -> purges.isSound(partition, purge))
                    .map(purge -> WaitingItem.of(purges.removal(purge), Kind.PURGE, purge.job()))
                    .toList());
  }

  private Future<List<WaitingItem>> due(int partition, int limit, String prefix) {
    return first(keys.due(partition), limit, prefix, UpcomingWork::waiting);
  }

  private Future<List<WaitingItem>> buffered(int partition, int limit, String prefix) {
    return first(
        keys.buffered(partition),
        limit,
        prefix,
        (member, at) -> attempt(member).map(a -> WaitingItem.of(at, Kind.BUFFERED, a)));
  }

  /**
   * The first of a list, as far as they can be read.
   *
   * @param prefix how the members begin that are wanted
   */
  private Future<List<WaitingItem>> first(
      String list,
      int limit,
      String prefix,
      BiFunction<String, Instant, Optional<WaitingItem>> read) {
    return link.send(Request.cmd(Command.ZRANGE).arg(list).arg(0).arg(limit - 1).arg("WITHSCORES"))
        .map(
            range ->
                range.stream()
                    .filter(pair -> pair.get(0).toString().startsWith(prefix))
                    .flatMap(
                        pair ->
                            read
                                .apply(
                                    pair.get(0).toString(),
                                    Instant.ofEpochMilli(pair.get(1).toLong()))
                                .stream())
                    .toList());
  }

  private Future<List<WaitingItem>> forFlows(int partition, int limit, String prefix) {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.awaitedFlows(partition)).arg(0).arg(-1))
        .compose(
            flows ->
                Future.all(
                    flows.stream()
                        .map(flow -> forFlow(partition, flow.toString(), limit, prefix))
                        .toList()))
        .map(lists -> lists.<List<WaitingItem>>list().stream().flatMap(List::stream).toList());
  }

  /** The scores of such a list are instants less the lead of a priority. */
  private Future<List<WaitingItem>> forFlow(int partition, String flow, int limit, String prefix) {
    return first(
        keys.waiting(partition, flow),
        limit,
        prefix,
        (member, score) -> attempt(member).map(attempt -> forFlow(attempt, flow)));
  }

  private static WaitingItem forFlow(Attempt attempt, String flow) {
    Instant due = Instant.ofEpochMilli(EpochMillis.of(attempt.dueAt()));
    return new WaitingItem(
        due, Kind.WAITING, attempt.job(), Optional.of(attempt), Optional.of(flow));
  }

  private static Optional<WaitingItem> waiting(String member, Instant due) {
    if (member.startsWith(JOB)) {
      return Optional.of(WaitingItem.of(due, Kind.OCCURRENCE, member.substring(JOB.length())));
    }
    if (member.startsWith(RESUME)) {
      return Optional.of(WaitingItem.of(due, Kind.RESUME, member.substring(RESUME.length())));
    }
    return attempt(member).map(attempt -> WaitingItem.of(due, kind(attempt), attempt));
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
