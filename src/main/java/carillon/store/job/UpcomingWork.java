package carillon.store.job;

import carillon.flow.FlowLane;
import carillon.job.Attempt;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.WireWord;
import carillon.job.collection.PauseScope;
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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Reader of what comes next, over all partitions: reads the beginnings of each {@code due} and
 * {@code finished}, writes nothing.
 */
public final class UpcomingWork {
  private static final String JOB = "job:";
  private static final String RESUME = "resume:";

  /** Most entries that {@link #earliest} lists. */
  public static final int MAX_EARLIEST = 1000;

  /** Entries of a partition that are read at least where jobs are looked for. */
  private static final int MIN_OF_PARTITION = 64;

  /** Entries of each list of a partition that are looked through for some jobs. */
  private static final int OF_SOME_JOBS = 256;

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
    /** An attempt that waits until its collection is enabled, or a wider pause ends. */
    HELD,
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
   * The beginning of one list or of several, as far as it can be read.
   *
   * @param unread nothing behind it is due before; empty where nothing is behind it
   */
  private record Beginning(List<WaitingItem> items, Optional<Instant> unread) {
    static Beginning of(List<Beginning> lists) {
      return new Beginning(
          itemsOf(lists).toList(),
          lists.stream().flatMap(list -> list.unread().stream()).min(Comparator.naturalOrder()));
    }

    /** Returns only the items of some jobs. */
    Beginning only(Predicate<JobKey> isWanted) {
      return new Beginning(
          items.stream().filter(item -> isWanted.test(new JobKey(item.job))).toList(), unread);
    }

    /** The last of those that were read, where there may be more. */
    static <T> Optional<T> end(List<T> read, int limit) {
      return read.size() < limit ? Optional.empty() : Optional.of(read.get(read.size() - 1));
    }
  }

  private static Stream<WaitingItem> itemsOf(List<Beginning> lists) {
    return lists.stream().map(Beginning::items).flatMap(List::stream);
  }

  /**
   * The earliest of some jobs.
   *
   * @param items in the order of their instants
   * @param until others may wait for this instant or later; empty where none is missing
   */
  public record Earliest(List<WaitingItem> items, Optional<Instant> until) {}

  /**
   * The earliest, in the order of their instants. Entries that nobody can read are left out: {@code
   * fsck} tells of them. Of what waits for a flow those count whose turn comes first.
   *
   * @param limit most entries, 1..{@link #MAX_EARLIEST}; of each list of a partition so many are
   *     read at most, and fewer where others are sure to be later
   */
  public Future<List<WaitingItem>> earliest(int limit) {
    return earliest(new Look(all -> true, limit, limit)).map(Earliest::items);
  }

  /**
   * The earliest of some jobs, among the first {@value #OF_SOME_JOBS} entries of each list of a
   * partition: the price does not grow with the number of other jobs.
   *
   * @param limit most entries
   */
  public Future<Earliest> earliest(Predicate<JobKey> isWanted, int limit) {
    return earliest(new Look(isWanted, limit, OF_SOME_JOBS));
  }

  /**
   * Search for the earliest items of some jobs.
   *
   * @param limit most entries
   * @param max entries of each list of a partition that are read
   */
  private record Look(Predicate<JobKey> isWanted, int limit, int max) {}

  private Future<Earliest> earliest(Look look) {
    int ofList = Math.min(look.max, Math.max(MIN_OF_PARTITION, 2 * look.limit / keys.partitions()));
    return Partitions.all(keys, partition -> beginnings(partition, look, ofList))
        .compose(all -> earliest(all, look, ofList));
  }

  /**
   * The earliest of what was read; reads on where what is unread may be among them.
   *
   * @param all beginnings of the lists of each partition
   * @param ofList how many entries of each list they have at most
   */
  private Future<Earliest> earliest(List<Beginning> all, Look look, int ofList) {
    List<WaitingItem> earliest =
        itemsOf(all).sorted(WaitingItem.BY_INSTANT).limit(look.limit).toList();
    Predicate<Beginning> hidesSome =
        one ->
            one.unread()
                .filter(
                    unread ->
                        earliest.size() < look.limit
                            || !unread.isAfter(earliest.get(look.limit - 1).due()))
                .isPresent();
    if (all.stream().noneMatch(hidesSome)) {
      return Future.succeededFuture(new Earliest(earliest, Optional.empty()));
    }
    if (ofList >= look.max) {
      return Future.succeededFuture(new Earliest(earliest, Beginning.of(all).unread()));
    }
    int more = Math.min(look.max, 4 * ofList);
    return Partitions.all(
            keys,
            partition ->
                hidesSome.test(all.get(partition))
                    ? beginnings(partition, look, more)
                    : Future.succeededFuture(all.get(partition)))
        .compose(longer -> earliest(longer, look, more));
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
            held(partition, new JobKey(job).collection(), attempts),
            forFlows(partition, OF_ONE_JOB, attempts))
        .map(lists -> itemsOf(lists.list()).sorted(WaitingItem.BY_INSTANT).toList());
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
        .map(both -> nextJobs(both.resultAt(0), sum(both.resultAt(1)), limit));
  }

  /**
   * The next of some jobs, among the first {@value #OF_SOME_JOBS} entries of each partition. Counts
   * only those that were read.
   *
   * @param limit most jobs
   */
  public Future<NextJobs> jobs(Predicate<JobKey> isWanted, int limit) {
    return Partitions.all(keys, partition -> due(partition, OF_SOME_JOBS, ANY))
        .map(
            all -> {
              List<Beginning> wanted = all.stream().map(one -> one.only(isWanted)).toList();
              return nextJobs(wanted, itemsOf(wanted).count(), limit);
            });
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
  private static NextJobs nextJobs(List<Beginning> all, long size, int limit) {
    Optional<Instant> unread = Beginning.of(all).unread();
    List<WaitingItem> jobs =
        itemsOf(all)
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
  private static long others(List<Beginning> all, long size, int told) {
    long none = itemsOf(all).filter(one -> one.kind() != Kind.OCCURRENCE).count();
    return Math.max(0, size - none - told);
  }

  private Future<Beginning> beginnings(int partition, Look look, int ofList) {
    return Future.all(
            due(partition, ofList, ANY),
            removals(partition, ofList),
            buffered(partition, ofList, ANY),
            forFlows(partition, ofList, ANY))
        .map(lists -> Beginning.of(lists.list()).only(look.isWanted));
  }

  private Future<Beginning> removals(int partition, int limit) {
    return purges
        .first(partition, limit)
        .map(
            entries ->
                new Beginning(
                    entries.stream()
                        .filter(purge -> purges.isSound(partition, purge))
                        .map(
                            purge -> WaitingItem.of(purges.removal(purge), Kind.PURGE, purge.job()))
                        .toList(),
                    Beginning.end(entries, limit).map(purges::removal)));
  }

  private Future<Beginning> due(int partition, int limit, String prefix) {
    return first(keys.due(partition), limit, prefix, UpcomingWork::waiting);
  }

  private Future<Beginning> buffered(int partition, int limit, String prefix) {
    return first(
        keys.buffered(partition),
        limit,
        prefix,
        (member, at) -> attempt(member).map(a -> WaitingItem.of(at, Kind.BUFFERED, a)));
  }

  /** Reads the attempts that a disabled collection holds back. */
  private Future<Beginning> held(int partition, String collection, String prefix) {
    return Future.all(
            PauseScope.markers(collection).stream()
                .map(
                    marker ->
                        first(
                            keys.held(partition, marker),
                            OF_ONE_JOB,
                            prefix,
                            (member, at) ->
                                attempt(member).map(a -> WaitingItem.of(at, Kind.HELD, a))))
                .toList())
        .map(lists -> Beginning.of(lists.list()));
  }

  /**
   * The first of a list, as far as they can be read.
   *
   * @param prefix how the members begin that are wanted
   */
  private Future<Beginning> first(
      String list,
      int limit,
      String prefix,
      BiFunction<String, Instant, Optional<WaitingItem>> read) {
    return link.send(Request.cmd(Command.ZRANGE).arg(list).arg(0).arg(limit - 1).arg("WITHSCORES"))
        .map(
            range ->
                new Beginning(
                    range.stream()
                        .filter(pair -> pair.get(0).toString().startsWith(prefix))
                        .flatMap(pair -> read.apply(pair.get(0).toString(), score(pair)).stream())
                        .toList(),
                    Beginning.end(range.stream().toList(), limit).map(UpcomingWork::score)));
  }

  private static Instant score(Response pair) {
    return Instant.ofEpochMilli(pair.get(1).toLong());
  }

  private Future<Beginning> forFlows(int partition, int limit, String prefix) {
    return link.send(Request.cmd(Command.ZRANGE).arg(keys.awaitedFlows(partition)).arg(0).arg(-1))
        .compose(
            flows ->
                Future.all(
                    flows.stream()
                        .map(flow -> forFlow(partition, flow.toString(), limit, prefix))
                        .toList()))
        .map(lists -> Beginning.of(lists.list()));
  }

  /** The scores of such a list are instants less the lead of a priority. */
  private Future<Beginning> forFlow(int partition, String flow, int limit, String prefix) {
    return first(
        keys.waiting(partition, flow),
        limit,
        prefix,
        (member, score) ->
            attempt(member).map(attempt -> forFlow(attempt, FlowLane.parse(flow).flow())));
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
