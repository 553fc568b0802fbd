package carillon.store.collection;

import carillon.bounded.AsyncLoops;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.job.NameSlice;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Backfill of a new quota: creates entries for the existing jobs of the collection. By then every
 * write of a job makes an entry, because the previous epoch is retired first. Any node can run it,
 * also concurrently, and again after a crash. Confined to the event loop of its link.
 */
final class QuotaBackfill {
  private static final Script<Counting> COUNT =
      Script.returningWord("quota_backfill", Counting.class);
  private static final int SLICE = 256;

  private final RedisLink link;
  private final Keys keys;
  private final CollectionEpochs epochs;
  private final Function<JobName, Future<Void>> settleLost;
  private final Map<CollectionName, Future<Void>> underWay = new HashMap<>();

  /**
   * Creates a backfill.
   *
   * @param settleLost settles the entry of a job that was deleted while it was counted
   */
  QuotaBackfill(
      RedisLink link,
      Keys keys,
      CollectionEpochs epochs,
      Function<JobName, Future<Void>> settleLost) {
    this.link = link;
    this.keys = keys;
    this.epochs = epochs;
    this.settleLost = settleLost;
  }

  private enum Counting {
    COUNTED,
    OVER
  }

  /** Counts the jobs, unless that is done already. Concurrent callers share the work. */
  Future<Void> count(CollectionName collection) {
    Future<Void> current = underWay.get(collection);
    if (current != null) {
      return current;
    }
    Future<Void> begun = countNow(collection);
    if (!begun.isComplete()) {
      underWay.put(collection, begun);
      begun.onComplete(done -> underWay.remove(collection));
    }
    return begun;
  }

  private Future<Void> countNow(CollectionName collection) {
    return link.send(
            Request.cmd(Command.HMGET)
                .arg(keys.collection(collection))
                .arg("quotaPending")
                .arg("epoch"))
        .compose(
            state -> {
              if (state.get(0) == null || state.get(1) == null) {
                return Future.succeededFuture();
              }
              long epoch = state.get(1).toLong();
              boolean[] wanted = {true};
              return epochs
                  .retire(collection, epoch - 1, CollectionEpochs.EpochEnd.CHANGED)
                  .compose(
                      retired ->
                          Partitions.all(
                              keys,
                              1,
                              partition ->
                                  wanted[0]
                                      ? countPartition(collection, epoch, partition)
                                          .onSuccess(goOn -> wanted[0] = goOn)
                                      : Future.succeededFuture()))
                  .compose(
                      done ->
                          wanted[0] ? add(collection, epoch, List.of()) : Future.succeededFuture());
            })
        .mapEmpty();
  }

  /** Counts the jobs of a partition; false if the counting is no longer wanted. */
  private Future<Boolean> countPartition(CollectionName collection, long epoch, int partition) {
    boolean[] wanted = {true};
    String[] after = {""};
    return AsyncLoops.whileMore(
            () ->
                NameSlice.read(
                        link,
                        keys,
                        collection,
                        partition,
                        NameSlice.ALL_STATES,
                        after[0],
                        SLICE / 4)
                    .compose(
                        range -> {
                          if (range.names().isEmpty()) {
                            return Future.succeededFuture(false);
                          }
                          after[0] = range.last();
                          return add(collection, epoch, range.names())
                              .onSuccess(still -> wanted[0] = still)
                              .compose(still -> checkThere(collection, partition, range.names()))
                              .map(checked -> wanted[0] && range.hasMore());
                        }))
        .map(done -> wanted[0]);
  }

  private Future<Boolean> add(CollectionName collection, long epoch, List<String> names) {
    return COUNT
        .on(link)
        .key("collection", keys.collection(collection))
        .key("quota", keys.quota(collection))
        .arg("epoch", epoch)
        .args("jobs", names)
        .run()
        .map(word -> word == Counting.COUNTED);
  }

  /** Removes entries of jobs that were deleted between their read and their entry. */
  private Future<Void> checkThere(CollectionName collection, int partition, List<String> names) {
    Request all = Request.cmd(Command.EXISTS);
    names.forEach(name -> all.arg(keys.job(partition, collection.job(name).key())));
    return link.send(all)
        .compose(
            found ->
                found.toInteger() == names.size()
                    ? Future.succeededFuture()
                    : Future.all(names.stream().map(collection::job).map(settleLost).toList())
                        .mapEmpty());
  }
}
