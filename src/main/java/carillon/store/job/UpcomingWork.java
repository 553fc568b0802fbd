package carillon.store.job;

import carillon.job.attempt.Attempt;
import carillon.job.collection.PauseScope;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.WireWord;
import carillon.redis.EpochMillis;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.store.attempt.PurgeStore;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import carillon.store.attempt.WaitingListStore;
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
 * Reader of upcoming work over all partitions. It reads the beginnings of {@code due}, {@code
 * finished} and the lists of attempts that wait for something else. It writes nothing.
 */
public final class UpcomingWork {
  private static final String JOB = "job:";
  private static final String RESUME = "resume:";

  /** Maximum number of entries that {@link #earliest} lists. */
  public static final int MAX_EARLIEST = 1000;

  /** Minimum number of entries to read from a partition in a search for jobs. */
  private static final int MIN_OF_PARTITION = 64;

  /** Number of entries of each list of a partition to search for some jobs. */
  private static final int OF_SOME_JOBS = 256;

  /** Number of entries of each list to search for one job. */
  private static final int OF_ONE_JOB = 1000;

  private static final String ANY = "";

  private final RedisLink link;
  private final Keys keys;
  private final PurgeStore purges;
  private final WaitingListStore lists;

  public UpcomingWork(RedisLink link, Keys keys, PurgeStore purges, WaitingListStore lists) {
    this.link = link;
    this.keys = keys;
    this.purges = purges;
    this.lists = lists;
  }

  /** Reason why an item waits. */
  public enum Kind implements WireWord {
    /** The next occurrence of a job. */
    OCCURRENCE,
    /** A further attempt after a failed one. */
    RETRY,
    /** The error action of an execution. */
    ERROR_ACTION,
    /** An execution outside the schedule. */
    MANUAL,
    /**
     * A first attempt that a node could not make, because its target had no place or the node died.
     */
    AGAIN,
    /** An attempt that waits for its flow. */
    WAITING,
    /** An attempt that waits for the end of another execution of its job. */
    BUFFERED,
    /** An attempt that waits until its collection is enabled, or a wider pause ends. */
    HELD,
    /** The end of a pause. */
    RESUME,
    /** The removal of a finished job whose retention is over. */
    PURGE;
  }

  /**
   * A waiting item.
   *
   * @param due instant from which it is due
   * @param job key of the job, see {@link JobName#key}
   * @param attempt the waiting attempt; empty if only a job waits
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
   * The readable entries at the beginning of one or more lists.
   *
   * @param unread all unread entries are due at this instant or later; empty if there are none
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

    /** Returns the last entry that was read, if more may follow. */
    static <T> Optional<T> end(List<T> read, int limit) {
      return read.size() < limit ? Optional.empty() : Optional.of(read.get(read.size() - 1));
    }
  }

  private static Stream<WaitingItem> itemsOf(List<Beginning> lists) {
    return lists.stream().map(Beginning::items).flatMap(List::stream);
  }

  /**
   * The earliest items of some jobs.
   *
   * @param items items in the order of their instants
   * @param until missing items wait for this instant or later; empty if none is missing
   */
  public record Earliest(List<WaitingItem> items, Optional<Instant> until) {}

  /**
   * Returns the earliest items in the order of their instants. Leaves out entries that cannot be
   * read, which {@code fsck} reports. Of the attempts that wait for a flow, only those with the
   * first turns are read.
   *
   * @param limit maximum number of items, 1..{@link #MAX_EARLIEST}; each list of a partition is
   *     read up to this number at most, or less if its other entries are certainly later
   */
  public Future<List<WaitingItem>> earliest(int limit) {
    return earliest(new Look(all -> true, limit, limit)).map(Earliest::items);
  }

  /**
   * Returns the earliest items of some jobs, among the first {@value #OF_SOME_JOBS} entries of each
   * list of a partition. The cost does not grow with the number of other jobs.
   *
   * @param limit maximum number of items
   */
  public Future<Earliest> earliest(Predicate<JobKey> isWanted, int limit) {
    return earliest(new Look(isWanted, limit, OF_SOME_JOBS));
  }

  /**
   * Search for the earliest items of some jobs.
   *
   * @param limit maximum number of items
   * @param max maximum number of entries to read from each list of a partition
   */
  private record Look(Predicate<JobKey> isWanted, int limit, int max) {}

  private Future<Earliest> earliest(Look look) {
    int ofList = Math.min(look.max, Math.max(MIN_OF_PARTITION, 2 * look.limit / keys.partitions()));
    return Partitions.all(keys, partition -> beginnings(partition, look, ofList))
        .compose(all -> earliest(all, look, ofList));
  }

  /**
   * Returns the earliest items of what was read. Reads more if unread entries may be among them.
   *
   * @param all beginnings of the lists of each partition
   * @param ofList maximum number of entries of each list in them
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
   * Returns the waiting attempts of a job in the order of their instants. Searches the first {@link
   * #OF_ONE_JOB} entries of each list of its partition.
   *
   * @param job key of the job
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
   * @param jobs jobs in the order of their instants
   * @param until next occurrences of all other jobs are at this instant or later; empty if there
   *     are none
   * @param others approximate number of other waiting jobs; may include their retries
   */
  public record NextJobs(List<WaitingItem> jobs, Optional<Instant> until, long others) {}

  /**
   * Returns the jobs that run next.
   *
   * @param limit maximum number of jobs, 1..1024
   */
  public Future<NextJobs> jobs(int limit) {
    int ofPartition = Math.max(MIN_OF_PARTITION, 2 * limit / keys.partitions());
    return Future.all(
            Partitions.all(keys, partition -> due(partition, ofPartition, ANY)),
            Partitions.all(keys, this::size))
        .map(both -> nextJobs(both.resultAt(0), sum(both.resultAt(1)), limit));
  }

  /**
   * Returns the next of some jobs, among the first {@value #OF_SOME_JOBS} entries of each
   * partition. Counts only entries that were read.
   *
   * @param limit maximum number of jobs
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
   * Returns the first jobs among the entries that were read.
   *
   * @param size number of entries in all lists
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

  /**
   * Returns the number of other jobs: without entries that are known to be no occurrence, and
   * without the returned jobs.
   */
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
        keys.list(partition, WaitingList.EXECUTIONS.key()),
        limit,
        prefix,
        (member, at) -> attempt(member).map(a -> WaitingItem.of(at, Kind.BUFFERED, a)));
  }

  /** Reads the attempts held for a disabled collection or a wider pause. */
  private Future<Beginning> held(int partition, String collection, String prefix) {
    return Future.all(
            PauseScope.markers(collection).stream()
                .map(
                    marker ->
                        first(
                            keys.list(partition, WaitingList.ofCollection(marker).key()),
                            OF_ONE_JOB,
                            prefix,
                            (member, at) ->
                                attempt(member).map(a -> WaitingItem.of(at, Kind.HELD, a))))
                .toList())
        .map(lists -> Beginning.of(lists.list()));
  }

  /**
   * Returns the first entries of a list that can be read.
   *
   * @param prefix beginning of the wanted members
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
    return lists
        .all(partition)
        .compose(
            all ->
                Future.all(
                    all.stream()
                        .filter(list -> list.cause() == WaitingCause.FLOW)
                        .map(list -> forFlow(partition, list, limit, prefix))
                        .toList()))
        .map(read -> Beginning.of(read.list()));
  }

  /**
   * Reads attempts that wait for a flow. The scores in such a list are instants less the lead of a
   * priority.
   */
  private Future<Beginning> forFlow(int partition, WaitingList list, int limit, String prefix) {
    return first(
        keys.list(partition, list.key()),
        limit,
        prefix,
        (member, score) -> attempt(member).map(attempt -> forFlow(attempt, list.lane().flow())));
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
      return Optional.empty(); // damaged data must not hide valid entries
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
