package carillon.fsck;

import carillon.redis.Keys;
import carillon.redis.ParsedKey;
import carillon.store.Stores;
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
 * One run over everything that is stored. Slice by slice: it holds Redis no longer than any other
 * client does, and may run beside nodes that work. To be made for each run, and confined to the
 * event loop of its stores.
 *
 * <p>It keeps the names of all indexes and collections in memory, and the jobs that have executions
 * under way.
 */
public final class Fsck {
  private static final int SLICE = 64;

  private final RawRedisReader inspection;
  private final Keys keys;
  private final FsckReport report = new FsckReport();
  private final FindingVerifier judge;
  private final TypeCheck types;
  private final AttemptCheck runs;
  private final JobCheck jobs;
  private final DueCheck due;
  private final QuotaCheck places;
  private final IndexCheck index;
  private final CollectionCheck collections;
  private final CollectionListCheck lists;
  private final DisabledMarkerCheck gates;
  private final OrphanCheck orphans;
  private final DeletionCleanupCheck remains;
  private final ClaimCheck claims;
  private final Map<ParsedKey.Kind, List<ParsedKey>> structures =
      new EnumMap<>(ParsedKey.Kind.class);
  private final Map<Integer, List<String>> waiting = new HashMap<>();

  /**
   * What is to be done.
   *
   * @param isRepairing whether what is found is to be repaired
   * @param pause between two looks at what spans Cluster slots: longer than a node takes from one
   *     step of its work to the next
   * @param keepFinished how long finished jobs are kept, for those that nothing would purge
   */
  public record Options(boolean isRepairing, Duration pause, Duration keepFinished) {}

  /**
   * A run.
   *
   * @param keys with the number of partitions that the Redis was set up with
   * @param clock Redis' clock
   * @param listener told each finding as soon as it is certain
   */
  public Fsck(
      Stores stores, Keys keys, InstantSource clock, Options options, Finding.Listener listener) {
    this.inspection = stores.inspection();
    this.keys = keys;
    this.judge =
        new FindingVerifier(inspection, options.isRepairing(), options.pause(), listener, report);
    this.types = new TypeCheck(inspection, keys, judge);
    this.runs = new AttemptCheck(inspection, keys, judge);
    this.jobs =
        new JobCheck(
            inspection, keys, judge, types, new ScheduleCheck(clock, options.keepFinished(), runs));
    this.due = new DueCheck(inspection, keys, clock, judge);
    this.places = new QuotaCheck(inspection, keys, clock, judge);
    this.index = new IndexCheck(inspection, keys, judge, places);
    CollectionCache stored = new CollectionCache(inspection, keys);
    this.gates = new DisabledMarkerCheck(inspection, stored, keys, judge);
    this.collections =
        new CollectionCheck(inspection, stores.collections(), keys, clock, judge, stored, gates);
    this.lists = new CollectionListCheck(inspection, stored, keys, judge);
    this.orphans = new OrphanCheck(inspection, stored, keys, clock, judge);
    this.remains = new DeletionCleanupCheck(inspection, keys, clock, judge);
    this.claims = new ClaimCheck(inspection, stores.claims(), keys, clock, judge);
    for (ParsedKey.Kind kind : ParsedKey.Kind.values()) {
      structures.put(kind, new ArrayList<>());
    }
  }

  /**
   * Checks everything.
   *
   * @return fails when Redis stays away for longer than half a minute
   */
  public Future<FsckReport> run() {
    return AsyncLoops.each(IntStream.range(0, inspection.masters()).boxed().toList(), this::scan)
        .compose(done -> AsyncLoops.each(List.copyOf(waiting.keySet()), this::checkWaiting))
        .compose(done -> each(ParsedKey.Kind.DUE, key -> due.check(key.partition())))
        .compose(done -> each(ParsedKey.Kind.PURGES, key -> due.checkPurges(key.partition())))
        .compose(done -> each(ParsedKey.Kind.JOBS, this::checkIndex))
        .compose(done -> each(ParsedKey.Kind.CLAIMS, this::checkClaims))
        .compose(
            done ->
                each(ParsedKey.Kind.GATED, key -> claims.checkGated(key.partition(), key.name())))
        .compose(done -> each(ParsedKey.Kind.EPOCHS, key -> remains.checkFences(key.partition())))
        .compose(done -> each(ParsedKey.Kind.DEAD, this::checkDead))
        .compose(done -> each(ParsedKey.Kind.COLLECTION, this::checkCollection))
        .compose(done -> each(ParsedKey.Kind.COLLECTIONS, key -> lists.check(key.name())))
        .compose(done -> each(ParsedKey.Kind.GATES, key -> gates.checkList(keys.gates())))
        .compose(
            done ->
                each(
                    ParsedKey.Kind.PARTED_GATES,
                    key -> gates.checkList(keys.gates(key.partition()))))
        .compose(done -> orWrongType(runs.settle()))
        .compose(done -> checkSettled())
        .compose(done -> judge.settleDoubts())
        .map(report);
  }

  private Future<Void> scan(int master) {
    String[] from = {RawRedisReader.EDGE};
    return AsyncLoops.whileMore(
        () ->
            inspection
                .keys(master, keys.prefix() + ":*", from[0])
                .compose(
                    slice -> {
                      from[0] = slice.next();
                      return AsyncLoops.inTurn(slice.items(), this::take)
                          .compose(done -> checkFull())
                          .map(!slice.isLast());
                    }));
  }

  private Future<Void> take(String key) {
    report.sawKeys(1);
    ParsedKey name = keys.parse(key).orElse(null);
    if (name == null) {
      return Future.succeededFuture();
    }
    return switch (name.kind()) {
      case JOB -> {
        waiting.computeIfAbsent(name.partition(), none -> new ArrayList<>()).add(name.name());
        yield Future.succeededFuture();
      }
      case HISTORY -> claims.checkHistory(name.partition(), name.name());
      default ->
          types
              .check(key, name.kind())
              .map(
                  usable -> {
                    if (usable) {
                      structures.get(name.kind()).add(name);
                    }
                    return null;
                  });
    };
  }

  private Future<Void> checkFull() {
    return AsyncLoops.each(
        waiting.entrySet().stream()
            .filter(entry -> entry.getValue().size() >= SLICE)
            .map(Map.Entry::getKey)
            .toList(),
        this::checkWaiting);
  }

  private Future<Void> checkWaiting(int partition) {
    List<String> slice = waiting.remove(partition);
    report.sawJobs(slice.size());
    return jobs.check(partition, slice);
  }

  private Future<Void> checkIndex(ParsedKey key) {
    orphans.sawJobs(key.partition(), key.name());
    return index.check(key.partition(), key.name());
  }

  private Future<Void> checkClaims(ParsedKey key) {
    runs.sawClaimsOf(key.name());
    return claims.check(key.partition(), key.name());
  }

  private Future<Void> checkDead(ParsedKey key) {
    remains.checkDead(keys.prefix() + ":{" + key.partition() + "}:dead:" + key.name(), key.name());
    return Future.succeededFuture();
  }

  private Future<Void> checkCollection(ParsedKey key) {
    return collections
        .check(key.name())
        .compose(done -> remains.checkCollection(key.name()))
        .compose(done -> places.checkPlaces(key.name()));
  }

  /** A count that was mended may mean that the job is over. */
  private Future<Void> checkSettled() {
    return judge.isRepairing()
        ? AsyncLoops.each(runs.settled(), view -> jobs.check(view.partition(), List.of(view.job())))
        : Future.succeededFuture();
  }

  private Future<Void> each(ParsedKey.Kind kind, Function<ParsedKey, Future<Void>> step) {
    return AsyncLoops.each(structures.get(kind), key -> orWrongType(step.apply(key)));
  }

  /** What holds another type is reported by that, and cannot be checked further. */
  private static Future<Void> orWrongType(Future<Void> step) {
    return step.recover(
        failure ->
            RawRedisReader.isWrongType(failure)
                ? Future.succeededFuture()
                : Future.failedFuture(failure));
  }
}
