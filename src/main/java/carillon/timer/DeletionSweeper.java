package carillon.timer;

import carillon.store.collection.CollectionEpochs;
import carillon.store.collection.CollectionRemoval;
import carillon.store.collection.DisabledMarkers;
import io.vertx.core.Future;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remover of what deleted collections leave behind: their jobs, and at last the marks of the
 * deletion. Each deletion is the work of the node that is ranked first for it; when that one dies,
 * another is. Should two do the same, nothing but effort is lost. Confined to the timer's event
 * loop.
 */
final class DeletionSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionSweeper.class);

  private final CollectionRemoval removal;
  private final DisabledMarkers disabledMarkers;
  private final Membership members;
  private final int partitions;

  DeletionSweeper(
      CollectionRemoval removal,
      DisabledMarkers disabledMarkers,
      Membership members,
      int partitions) {
    this.removal = removal;
    this.disabledMarkers = disabledMarkers;
    this.members = members;
    this.partitions = partitions;
  }

  /** Does what is to be done now, one after the other; never fails. */
  Future<Void> sweep() {
    return removal
        .pending()
        .compose(this::clear)
        .compose(
            cleared -> members.rank(0) == 0 ? disabledMarkers.resume() : Future.succeededFuture())
        .onFailure(DeletionSweeper::later)
        .otherwiseEmpty();
  }

  private static void later(Throwable failure) {
    LOG.atWarn()
        .addKeyValue("error", failure.getMessage())
        .log(
            "deleted collections cannot be cleared away, or a disabled marker cannot be set; trying again later");
  }

  private Future<Void> clear(List<CollectionEpochs.Retired> pending) {
    Future<Void> cleared = Future.succeededFuture();
    for (CollectionEpochs.Retired retired : pending) {
      if (isMine(retired)) {
        cleared =
            cleared.compose(
                done -> removal.clear(retired).onFailure(DeletionSweeper::later).otherwiseEmpty());
      }
    }
    return cleared;
  }

  private boolean isMine(CollectionEpochs.Retired retired) {
    return members.rank(Math.floorMod(retired.collection().key().hashCode(), partitions)) == 0;
  }
}
