package carillon.store.collection;

import carillon.job.CollectionName;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Ends epochs of collections. A collection and its jobs live in different slots; what makes a
 * deletion, or a change of limits, hold for all jobs at once is a fence in every partition, which
 * refuses writers who know only an epoch that is over. A fence is taken down when nobody can know
 * that epoch any more. Every step may be repeated, by any node. Confined to the event loop of its
 * link.
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

  /** Why an epoch is over. */
  enum End {
    /** The collection was deleted: its jobs of this epoch are dead. */
    DELETED,
    /** It got other limits: its jobs stay. */
    CHANGED
  }

  /**
   * The remains of an epoch, as they stand in {@code carillon:retired}: {@code
   * sweep:<collection>@3} until the dead jobs are removed, then {@code forget:<collection>@3} until
   * nobody knows of it.
   *
   * @param since when it ended, or was about to; of a swept one, when it may be forgotten
   */
  public record Retired(CollectionName collection, long epoch, boolean isSwept, Instant since) {
    private static final String SWEEP_FIRST = "sweep:";
    private static final String ONLY_FORGET = "forget:";

    static Retired parse(String member, long since) {
      int colon = member.indexOf(':');
      int at = member.indexOf('@');
      return new Retired(
          CollectionName.parse(member.substring(colon + 1, at)),
          Long.parseLong(member.substring(at + 1)),
          member.startsWith(ONLY_FORGET),
          Instant.ofEpochMilli(since));
    }

    private String member() {
      return (isSwept ? ONLY_FORGET : SWEEP_FIRST) + collection.key() + "@" + epoch;
    }
  }

  /**
   * Announces the end of an epoch before it ends, so that its remains are found whatever happens
   * then.
   */
  Future<Void> announce(CollectionName collection, long epoch) {
    return list(new Retired(collection, epoch, false, clock.instant()));
  }

  private Future<Void> list(Retired retired) {
    return link.send(
            Request.cmd(Command.ZADD)
                .arg(keys.retired())
                .arg(retired.since().toEpochMilli())
                .arg(retired.member()))
        .mapEmpty();
  }

  /** Puts the fences up; when it is done, no partition takes a write from this epoch. */
  Future<Void> retire(CollectionName collection, long epoch, End end) {
    return announce(collection, epoch)
        .compose(announced -> Partitions.all(keys, p -> retire(collection.key(), epoch, end, p)))
        .mapEmpty();
  }

  private Future<Void> retire(String collection, long epoch, End end, int partition) {
    return RETIRE
        .on(link)
        .key("epochs", keys.epochs(partition))
        .key("jobs", keys.jobs(partition, collection))
        .key("dead", keys.dead(partition, collection, epoch))
        .key("gated", keys.gated(partition, collection))
        .arg("collection", collection)
        .arg("epoch", epoch)
        .arg("what", end == End.DELETED ? "deleted" : "changed")
        .run();
  }

  /** A slice of the ended epochs whose remains are due for the sweep, oldest first. */
  Future<List<Retired>> pending() {
    return link.send(
            Request.cmd(Command.ZRANGE)
                .arg(keys.retired())
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
                    .map(pair -> Retired.parse(pair.get(0).toString(), pair.get(1).toLong()))
                    .toList());
  }

  /** Sweeps the jobs that died with an epoch, one bounded slice after the other. */
  Future<Void> sweep(Retired retired) {
    return Partitions.all(keys, 1, partition -> sweep(retired, partition))
        .compose(
            done ->
                list(
                    new Retired(
                        retired.collection(),
                        retired.epoch(),
                        true,
                        clock.instant().plus(REMEMBERED))))
        .compose(done -> dismiss(retired));
  }

  private Future<Void> sweep(Retired retired, int partition) {
    String inside = retired.collection().key() + "/";
    return SWEEP
        .on(link)
        .key("dead", keys.dead(partition, retired.collection().key(), retired.epoch()))
        .key("due", keys.due(partition))
        .arg("limit", SLICE)
        .arg("jobs", keys.jobPrefix(partition) + inside)
        .arg("histories", keys.historyPrefix(partition) + inside)
        .arg("collection", inside)
        .arg("epoch", retired.epoch())
        .run()
        .compose(swept -> swept < SLICE ? Future.succeededFuture() : sweep(retired, partition));
  }

  /** Takes the fences down, and removes what is left of a collection that was not made again. */
  Future<Void> forget(Retired retired) {
    return Partitions.all(
            keys,
            partition ->
                FORGET_EPOCH
                    .on(link)
                    .key("epochs", keys.epochs(partition))
                    .arg("collection", retired.collection().key())
                    .arg("epoch", retired.epoch())
                    .run())
        .compose(
            down ->
                FORGET_COLLECTION
                    .on(link)
                    .key("collection", keys.collection(retired.collection()))
                    .arg("epoch", retired.epoch())
                    .run())
        .compose(gone -> dismiss(retired));
  }

  /** An end that was announced and never came is no longer expected. */
  Future<Void> dismissWhenOld(Retired retired) {
    return retired.since().plus(REMEMBERED).isBefore(clock.instant())
        ? dismiss(retired)
        : Future.succeededFuture();
  }

  private Future<Void> dismiss(Retired retired) {
    return link.send(Request.cmd(Command.ZREM).arg(keys.retired()).arg(retired.member()))
        .mapEmpty();
  }
}
