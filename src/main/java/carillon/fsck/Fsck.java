package carillon.fsck;

import carillon.bounded.AsyncLoops;
import carillon.redis.Keys;
import carillon.redis.ParsedKey;
import carillon.redis.ParsedKey.Kind;
import carillon.store.Stores;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import carillon.store.operation.RawRedisReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Consistency check of all stored data. It reads slice by slice: it blocks Redis no longer than any
 * other client does, and may run while nodes work. Made for one run, and confined to the event loop
 * of its stores.
 *
 * <p>It keeps the names of all indexes and collections in memory, and the jobs that have executions
 * under way.
 */
public final class Fsck {
  private static final int SLICE = 64;

  private final CheckContext context;
  private final RawRedisReader reader;
  private final Keys keys;
  private final FindingVerifier verifier;
  private final FsckReport report = new FsckReport();
  private final AttemptCheck attempts;
  private final JobCheck jobs;
  private final WaitingCheck waiting;
  private final ExecutionCheck executions;
  private final JobListCheck jobLists;
  private final CalendarUsesCheck calendarUses;
  private final boolean isRepairing;
  private final CollectionCheck collections;
  private final DisabledMarkerCheck markers;
  private final CleanupCheck cleanup;
  private final ResourceCheck resources;
  private final Map<Kind, List<ParsedKey>> structures = new EnumMap<>(Kind.class);
  private final Map<Integer, List<String>> slices = new HashMap<>();

  /**
   * Options of a check.
   *
   * @param isRepairing whether findings are repaired
   * @param pause between two looks at findings that span Cluster slots: longer than a node takes
   *     from one step of its work to the next
   * @param keepFinished retention of finished jobs, for jobs that nothing would purge
   */
  public record Options(boolean isRepairing, Duration pause, Duration keepFinished) {}

  /**
   * Creates a check.
   *
   * @param keys with the number of partitions that the Redis was set up with
   * @param clock Redis' clock
   * @param listener receives each finding as soon as it is certain
   */
  public Fsck(
      Stores stores, Keys keys, InstantSource clock, Options options, Finding.Listener listener) {
    this.reader = stores.operation().rawReader();
    this.keys = keys;
    this.isRepairing = options.isRepairing();
    this.verifier =
        new FindingVerifier(reader, options.isRepairing(), options.pause(), listener, report);
    this.context = new CheckContext(reader, keys, clock, verifier);
    this.attempts = new AttemptCheck(context);
    this.jobs = new JobCheck(context, new ScheduleCheck(clock, options.keepFinished(), attempts));
    this.waiting = new WaitingCheck(context, stores.attempt().claims(), stores.attempt().lists());
    this.executions = new ExecutionCheck(context, attempts);
    this.jobLists = new JobListCheck(context);
    this.calendarUses = new CalendarUsesCheck(context);
    this.markers = new DisabledMarkerCheck(context);
    this.collections = new CollectionCheck(context, stores.collection().collections(), markers);
    this.cleanup = new CleanupCheck(context);
    this.resources = new ResourceCheck(context);
    for (Kind kind : Kind.values()) {
      structures.put(kind, new ArrayList<>());
    }
  }

  /**
   * Checks everything.
   *
   * @return fails when Redis stays away for longer than half a minute
   */
  public Future<FsckReport> run() {
    return AsyncLoops.each(IntStream.range(0, reader.masters()).boxed().toList(), this::scan)
        .compose(done -> AsyncLoops.each(List.copyOf(slices.keySet()), this::checkSlice))
        .compose(done -> each(Kind.DUE, key -> waiting.checkDue(key.partition())))
        .compose(done -> each(Kind.FINISHED, key -> waiting.checkFinished(key.partition())))
        .compose(done -> each(Kind.JOBS, this::checkIndex))
        .compose(done -> tidied())
        .compose(done -> each(Kind.CLAIMS, this::checkClaims))
        .compose(done -> each(Kind.LIST, this::checkList))
        .compose(done -> each(Kind.LISTS, key -> waiting.checkLists(key.partition())))
        .compose(done -> each(Kind.EXECUTIONS, this::suspectExecutions))
        .compose(done -> each(Kind.EPOCHS, key -> cleanup.checkFences(key.partition())))
        .compose(done -> each(Kind.DELETED, this::checkDeletedJobs))
        .compose(done -> each(Kind.COLLECTION, this::checkCollection))
        .compose(done -> each(Kind.COLLECTIONS, key -> collections.checkList(key.name())))
        .compose(done -> each(Kind.FLOWS, key -> resources.checkFlows()))
        .compose(done -> each(Kind.CALENDARS, key -> resources.checkCalendars()))
        .compose(done -> each(Kind.PAUSES, key -> markers.checkPauses()))
        .compose(done -> each(Kind.GATES, key -> markers.checkList(keys.gates())))
        .compose(
            done -> each(Kind.PARTED_GATES, key -> markers.checkList(keys.gates(key.partition()))))
        .compose(done -> CheckContext.orOnWrongType(attempts.settle(), null))
        .compose(done -> checkSettled())
        .compose(done -> executions.sift())
        .compose(done -> verifier.settleDeferred())
        .map(report);
  }

  /** Entries that nodes leave until the calendar changes are no finding, but go with a repair. */
  private Future<Void> tidied() {
    return isRepairing
        ? each(Kind.USES, key -> calendarUses.check(key.partition(), key.name()))
        : Future.succeededFuture();
  }

  private Future<Void> scan(int master) {
    return SliceLoops.slices(
        from -> reader.keys(master, keys.prefix() + ":*", from),
        found -> AsyncLoops.concurrently(found, this::take).compose(done -> checkFullSlices()));
  }

  private Future<Void> take(String key) {
    report.sawKeys(1);
    ParsedKey name = keys.parse(key).orElse(null);
    if (name == null) {
      return Future.succeededFuture();
    }
    return switch (name.kind()) {
      case JOB -> {
        slices.computeIfAbsent(name.partition(), none -> new ArrayList<>()).add(name.name());
        yield Future.succeededFuture();
      }
      case HISTORY -> jobs.checkHistory(name.partition(), name.name());
      default ->
          context
              .hasType(key, name.kind())
              .map(
                  usable -> {
                    if (usable) {
                      structures.get(name.kind()).add(name);
                    }
                    return null;
                  });
    };
  }

  private Future<Void> checkFullSlices() {
    return AsyncLoops.each(
        slices.entrySet().stream()
            .filter(entry -> entry.getValue().size() >= SLICE)
            .map(Map.Entry::getKey)
            .toList(),
        this::checkSlice);
  }

  private Future<Void> checkSlice(int partition) {
    List<String> slice = slices.remove(partition);
    report.sawJobs(slice.size());
    return jobs.check(partition, slice);
  }

  private Future<Void> checkIndex(ParsedKey key) {
    collections.sawJobs(key.partition(), key.name());
    return jobLists.checkIndex(key.partition(), key.name());
  }

  private Future<Void> checkClaims(ParsedKey key) {
    attempts.sawClaimsOf(key.name());
    return waiting.checkClaims(key.partition(), key.name());
  }

  private Future<Void> checkList(ParsedKey key) {
    int partition = key.partition();
    attempts.sawList(partition, key.name());
    return WaitingList.parse(key.name())
        .map(
            list ->
                list.cause() == WaitingCause.EXECUTION
                    ? executions.checkList(partition)
                    : waiting.checkList(partition, list))
        .orElseGet(() -> waiting.putAwayList(partition, key.name()));
  }

  private Future<Void> suspectExecutions(ParsedKey key) {
    executions.suspect(key.partition(), key.name());
    return Future.succeededFuture();
  }

  private Future<Void> checkDeletedJobs(ParsedKey key) {
    cleanup.checkDeletedJobs(
        keys.prefix() + ":{" + key.partition() + "}:deleted:" + key.name(), key.name());
    return Future.succeededFuture();
  }

  private Future<Void> checkCollection(ParsedKey key) {
    return collections
        .check(key.name())
        .compose(done -> cleanup.checkCollection(key.name()))
        .compose(done -> jobLists.checkQuota(key.name()));
  }

  /** Checks jobs with repaired counts again: after a repair the job may be over. */
  private Future<Void> checkSettled() {
    return verifier.isRepairing()
        ? AsyncLoops.each(
            attempts.settled(), view -> jobs.check(view.partition(), List.of(view.job())))
        : Future.succeededFuture();
  }

  private Future<Void> each(Kind kind, Function<ParsedKey, Future<Void>> step) {
    return AsyncLoops.each(
        structures.get(kind), key -> CheckContext.orOnWrongType(step.apply(key), null));
  }
}
