package carillon.timer;

import carillon.store.collection.CollectionDeletion;
import carillon.store.collection.CollectionEpochs;
import carillon.store.collection.DisabledMarkers;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps deleted collections: removes their jobs and finally their fences. The node that ranks
 * first for a deletion does the work. If it dies, another node continues. If two nodes do the same
 * work, only effort is lost. Confined to the timer's event loop.
 */
final class DeletionSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionSweeper.class);

  private final CollectionDeletion deletion;
  private final DisabledMarkers disabledMarkers;
  private final Membership members;
  private final OutageLog outages;
  private final int partitions;

  DeletionSweeper(
      CollectionDeletion deletion,
      DisabledMarkers disabledMarkers,
      Membership members,
      OutageLog outages,
      int partitions) {
    this.deletion = deletion;
    this.disabledMarkers = disabledMarkers;
    this.members = members;
    this.outages = outages;
    this.partitions = partitions;
  }

  /** Performs all pending work, one step after the other. Never fails. */
  Future<Void> sweep() {
    return deletion
        .pending()
        .compose(this::sweep)
        .compose(
            swept -> members.rank(0) == 0 ? disabledMarkers.resume() : Future.succeededFuture())
        .onFailure(this::later)
        .otherwiseEmpty();
  }

  private void later(Throwable failure) {
    LOG.atLevel(outages.level(failure))
        .addKeyValue("error", failure.getMessage())
        .log(
            "deleted collections cannot be swept, or a disabled marker cannot be set; trying again later");
  }

  private Future<Void> sweep(List<CollectionEpochs.Cleanup> pending) {
    Future<Void> swept = Future.succeededFuture();
    for (CollectionEpochs.Cleanup cleanup : pending) {
      if (isMine(cleanup)) {
        swept =
            swept.compose(done -> deletion.sweep(cleanup).onFailure(this::later).otherwiseEmpty());
      }
    }
    return swept;
  }

  private boolean isMine(CollectionEpochs.Cleanup cleanup) {
    return members.rank(Math.floorMod(cleanup.collection().key().hashCode(), partitions)) == 0;
  }
}
