package carillon.store.collection;

import carillon.bounded.AsyncLoops;
import carillon.job.name.CollectionName;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.attempt.WaitingList;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Epochs of collections and their ends. A collection and its jobs are in different slots. So a
 * deletion or a change of limits reaches all jobs through a fence in every partition. The fence
 * refuses writers that know only an ended epoch. It is removed when no node can know that epoch any
 * more. Any node may repeat any step. Confined to the event loop of its link.
 */
public final class CollectionEpochs {
  private static final Script<Void> RETIRE = Script.returningNothing("retire_epoch");
  private static final Script<Void> FORGET_EPOCH = Script.returningNothing("forget_epoch");
  private static final Script<Void> FORGET_COLLECTION =
      Script.returningNothing("forget_collection");
  private static final Script<Integer> SWEEP = Script.returningCount("sweep_jobs");
  private static final int SLICE = 128;

  /** Age from which no node knows an ended epoch and no command under way names it. */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private final RedisLink link;
  private final Keys keys;
  private final InstantSource clock;

  public CollectionEpochs(RedisLink link, Keys keys, InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.clock = clock;
  }

  /** Reason why an epoch has ended. */
  enum EpochEnd {
    /** The collection was deleted. Its jobs of this epoch are dead. */
    DELETED,
    /** The collection got other limits. Its jobs stay. */
    CHANGED
  }

  /**
   * Remains of an epoch, listed in {@code carillon:cleanup}. The entry is {@code
   * sweep:<collection>@3} until the dead jobs are removed, then {@code forget:<collection>@3} until
   * no node knows the epoch.
   *
   * @param since when the epoch ended or was about to end; after the sweep, when it may be
   *     forgotten
   */
  public record Cleanup(CollectionName collection, long epoch, boolean isSwept, Instant since) {
    private static final String SWEEP_FIRST = "sweep:";
    private static final String ONLY_FORGET = "forget:";

    static Cleanup parse(String member, long since) {
      int colon = member.indexOf(':');
      int at = member.indexOf('@');
      return new Cleanup(
          CollectionName.parse(member.substring(colon + 1, at)),
          Long.parseLong(member.substring(at + 1)),
          member.startsWith(ONLY_FORGET),
          Instant.ofEpochMilli(since));
    }

    private String member() {
      return (isSwept ? ONLY_FORGET : SWEEP_FIRST) + collection.key() + "@" + epoch;
    }
  }

  /** Announces the end of an epoch before it ends, so that its remains are always found. */
  Future<Void> announce(CollectionName collection, long epoch) {
    return list(new Cleanup(collection, epoch, false, clock.instant()));
  }

  private Future<Void> list(Cleanup cleanup) {
    return link.send(
            Request.cmd(Command.ZADD)
                .arg(keys.cleanup())
                .arg(cleanup.since().toEpochMilli())
                .arg(cleanup.member()))
        .mapEmpty();
  }

  /** Sets the fences. Afterwards no partition accepts a write from this epoch. */
  Future<Void> retire(CollectionName collection, long epoch, EpochEnd end) {
    return announce(collection, epoch)
        .compose(announced -> Partitions.all(keys, p -> retire(collection.key(), epoch, end, p)))
        .mapEmpty();
  }

  private Future<Void> retire(String collection, long epoch, EpochEnd end, int partition) {
    return RETIRE
        .on(link)
        .key("epochs", keys.epochs(partition))
        .key("jobs", keys.jobs(partition, collection))
        .key("deleted", keys.deletedJobs(partition, collection, epoch))
        .key("list", keys.list(partition, WaitingList.ofCollection(collection).key()))
        .key("lists", keys.lists(partition))
        .arg("collection", collection)
        .arg("epoch", epoch)
        .arg("what", end == EpochEnd.DELETED ? "deleted" : "changed")
        .run();
  }

  /** Returns some ended epochs whose remains are due for the sweep, oldest first. */
  Future<List<Cleanup>> pending() {
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.cleanup())
                .arg("-inf")
                .arg(clock.instant().toEpochMilli())
                .arg("BYSCORE")
                .arg("LIMIT")
                .arg(0)
                .arg(SLICE)
                .arg("WITHSCORES"))
        .map(
            range ->
                range.stream()
                    .map(pair -> Cleanup.parse(pair.get(0).toString(), pair.get(1).toLong()))
                    .toList());
  }

  /** Sweeps the dead jobs of an epoch in bounded slices. */
  Future<Void> sweep(Cleanup cleanup) {
    return Partitions.all(keys, 1, partition -> sweep(cleanup, partition))
        .compose(
            done ->
                list(
                    new Cleanup(
                        cleanup.collection(),
                        cleanup.epoch(),
                        true,
                        clock.instant().plus(REMEMBERED))))
        .compose(done -> dismiss(cleanup));
  }

  private Future<Void> sweep(Cleanup cleanup, int partition) {
    return AsyncLoops.whileMore(() -> sweepSlice(cleanup, partition));
  }

  /** Sweeps a slice; true if more may follow. */
  private Future<Boolean> sweepSlice(Cleanup cleanup, int partition) {
    String inside = cleanup.collection().key() + "/";
    return SWEEP
        .on(link)
        .key("deleted", keys.deletedJobs(partition, cleanup.collection().key(), cleanup.epoch()))
        .key("due", keys.due(partition))
        .arg("limit", SLICE)
        .arg("jobs", keys.jobPrefix(partition) + inside)
        .arg("histories", keys.historyPrefix(partition) + inside)
        .arg("collection", inside)
        .arg("epoch", cleanup.epoch())
        .run()
        .map(swept -> swept == SLICE);
  }

  /** Removes the fences, and the hash of the collection unless it exists again. */
  Future<Void> forget(Cleanup cleanup) {
    return Partitions.all(
            keys,
            partition ->
                FORGET_EPOCH
                    .on(link)
                    .key("epochs", keys.epochs(partition))
                    .arg("collection", cleanup.collection().key())
                    .arg("epoch", cleanup.epoch())
                    .run())
        .compose(
            down ->
                FORGET_COLLECTION
                    .on(link)
                    .key("collection", keys.collection(cleanup.collection()))
                    .arg("epoch", cleanup.epoch())
                    .run())
        .compose(gone -> dismiss(cleanup));
  }

  /** Drops an old announcement of an end that never came. */
  Future<Void> dismissWhenOld(Cleanup cleanup) {
    return cleanup.since().plus(REMEMBERED).isBefore(clock.instant())
        ? dismiss(cleanup)
        : Future.succeededFuture();
  }

  private Future<Void> dismiss(Cleanup cleanup) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.cleanup()).arg(cleanup.member()))
        .mapEmpty();
  }
}
