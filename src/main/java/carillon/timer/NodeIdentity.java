package carillon.timer;

import carillon.store.RunStore;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * Makes sure that no living node bears this node's id, and takes back what an earlier life of this
 * node held when it was killed.
 */
final class NodeIdentity {
  private final Vertx vertx;
  private final Stores stores;
  private final TimeKeeper clock;
  private final TimerVerticle.Config config;

  NodeIdentity(Vertx vertx, Stores stores, TimeKeeper clock, TimerVerticle.Config config) {
    this.vertx = vertx;
    this.stores = stores;
    this.clock = clock;
    this.config = config;
  }

  /**
   * Fails with an IllegalStateException, fit for an operator's eyes, when another living node has
   * this id.
   */
  Future<Void> claim() {
    return refuseTwin().compose(alone -> recoverOwn(0));
  }

  /** A heartbeat under this id that moves on while this node does not beat is another's. */
  private Future<Void> refuseTwin() {
    if (config.soleOwner()) {
      return Future.succeededFuture();
    }
    return stores
        .nodes()
        .heartbeats()
        .compose(
            before -> {
              Optional<Long> beat = before.of(config.nodeId());
              long silentSince = clock.millis() - config.node().lease().toMillis();
              return beat.filter(last -> last >= silentSince).isEmpty()
                  ? Future.succeededFuture()
                  : vertx
                      .timer(2 * config.node().heartbeat().toMillis())
                      .compose(waited -> compare(beat));
            });
  }

  private Future<Void> compare(Optional<Long> before) {
    return stores
        .nodes()
        .heartbeats()
        .map(
            after -> {
              if (!before.equals(after.of(config.nodeId()))) {
                throw new IllegalStateException(
                    "node.id '" + config.nodeId() + "' is in use by another running node");
              }
              return null;
            });
  }

  private Future<Void> recoverOwn(int partition) {
    if (partition == config.partitions()) {
      return Future.succeededFuture();
    }
    return stores
        .runs()
        .recover(partition, config.nodeId(), clock.instant())
        .compose(moved -> recoverOwn(moved < RunStore.SLICE ? partition + 1 : partition));
  }
}
