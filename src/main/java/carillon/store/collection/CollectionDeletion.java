package carillon.store.collection;

import carillon.job.Precondition;
import carillon.job.collection.JobCollection.DamagedCollection;
import carillon.job.name.CollectionName;
import carillon.job.name.ErrorCode;
import carillon.job.name.Quoted;
import carillon.redis.Keys;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.InstantSource;
import java.util.List;

/**
 * Deletion of collections with all their content. It is quick for any number of jobs. First the
 * collection is marked as deleted, which is the decision. Then its epoch is ended, which makes its
 * jobs dead with one step in every partition. No collection of the same name can be created before
 * that.
 *
 * <p>{@link #sweep} removes the remains later. Any node calls it, and it also ends the epoch if the
 * deleting node died. Confined to the event loop of its link.
 */
public final class CollectionDeletion {
  private static final Script<DeletionReply> DELETE =
      Script.returningWord("delete_collection", DeletionReply.class);

  private final RedisLink link;
  private final Keys keys;
  private final CollectionEpochs epochs;
  private final CollectionIndex index;
  private final InstantSource clock;

  public CollectionDeletion(
      RedisLink link,
      Keys keys,
      CollectionEpochs epochs,
      CollectionIndex index,
      InstantSource clock) {
    this.link = link;
    this.keys = keys;
    this.epochs = epochs;
    this.index = index;
    this.clock = clock;
  }

  private enum DeletionReply {
    DELETED,
    MISSING,
    REFUSED,
    CHANGED
  }

  /**
   * Deletes the collection.
   *
   * @return false if there was none; fails with {@link ErrorCode#PRECONDITION_FAILED}, or {@link
   *     ErrorCode#COLLECTION_DAMAGED} if its epoch cannot be read
   */
  public Future<Boolean> delete(CollectionName name, Precondition condition) {
    return read(name)
        .compose(
            found ->
                found.exists() && !found.deleted()
                    ? delete(name, found.epoch(), condition)
                    : Future.succeededFuture(false));
  }

  private Future<Boolean> delete(CollectionName name, long epoch, Precondition condition) {
    return epochs
        .announce(name, epoch)
        .compose(
            announced ->
                DELETE
                    .on(link)
                    .key("collection", keys.collection(name))
                    .key("quota", keys.quota(name))
                    .arg("condition", condition.argument())
                    .arg("epoch", epoch)
                    .iso("now", clock.instant())
                    .run())
        .compose(
            deletion ->
                switch (deletion) {
                  case DELETED -> endEpoch(name, epoch).map(true);
                  case MISSING -> Future.succeededFuture(false);
                  case CHANGED -> delete(name, condition);
                  case REFUSED -> throw CollectionStore.conditionFailed(name);
                });
  }

  /** Makes the jobs of a deleted collection dead, and releases its name. */
  Future<Void> endEpoch(CollectionName name, long epoch) {
    return Future.all(
            epochs.retire(name, epoch, CollectionEpochs.EpochEnd.DELETED),
            index.remove(name),
            RedisQueueStore.leave(link, keys, name))
        .compose(
            dead ->
                link.send(
                    Request.cmd(Command.HSET)
                        .arg(keys.collection(name))
                        .arg("deletedEpoch")
                        .arg(epoch)))
        .mapEmpty();
  }

  /** State of a collection's deletion in its hash. */
  private record DeletionState(boolean exists, boolean deleted, boolean epochEnded, long epoch) {
    static DeletionState of(Response fields) {
      long epoch = fields.get(2) == null ? 0 : CollectionHash.count(fields.get(2).toString());
      boolean epochEnded = fields.get(3) != null && fields.get(3).toLong() == epoch;
      return new DeletionState(fields.get(0) != null, fields.get(1) != null, epochEnded, epoch);
    }
  }

  private Future<DeletionState> read(CollectionName name) {
    return link.send(
            Request.cmd(Command.HMGET)
                .arg(keys.collection(name))
                .arg("revision")
                .arg("deletedAt")
                .arg("epoch")
                .arg("deletedEpoch"))
        .map(fields -> state(name, fields));
  }

  private static DeletionState state(CollectionName name, Response fields) {
    try {
      return DeletionState.of(fields);
    } catch (IllegalArgumentException e) {
      String reason = Quoted.field("epoch", fields.get(2).toString());
      throw CollectionStore.damaged(new DamagedCollection(name, reason));
    }
  }

  /** Returns some ended epochs whose remains are due for the sweep. */
  public Future<List<CollectionEpochs.Cleanup>> pending() {
    return epochs.pending();
  }

  /** Removes the remains of an epoch: its jobs, or its fences once the jobs are gone. */
  public Future<Void> sweep(CollectionEpochs.Cleanup cleanup) {
    return cleanup.isSwept() ? epochs.forget(cleanup) : sweepJobs(cleanup);
  }

  private Future<Void> sweepJobs(CollectionEpochs.Cleanup cleanup) {
    return read(cleanup.collection())
        .compose(
            found -> {
              if (!found.exists() || found.epoch() != cleanup.epoch() || found.epochEnded()) {
                return epochs.sweep(cleanup);
              }
              if (found.deleted()) {
                return endEpoch(cleanup.collection(), cleanup.epoch())
                    .compose(ended -> epochs.sweep(cleanup));
              }
              return epochs.dismissWhenOld(cleanup); // announced, but not deleted
            });
  }
}
