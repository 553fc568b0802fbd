package carillon.timer;

import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Guard of this node's id: makes sure that one process alone has it, from its start and with every
 * heartbeat, and takes back what an earlier life of this node had claimed when it was killed.
 */
final class NodeIdGuard {
  private final Vertx vertx;
  private final Stores stores;
  private final SharedClock clock;
  private final LongSupplier nanoTime;
  private final TimerVerticle.Config config;
  private final String life = UUID.randomUUID().toString();
  private long beats;
  private String holder = "";
  private long holderSeenNanos;

  /**
   * A guard that has not claimed the id.
   *
   * @param nanoTime the clock of the lease
   */
  NodeIdGuard(
      Vertx vertx,
      Stores stores,
      SharedClock clock,
      LongSupplier nanoTime,
      TimerVerticle.Config config) {
    this.nanoTime = nanoTime;
    this.vertx = vertx;
    this.stores = stores;
    this.clock = clock;
    this.config = config;
  }

  /**
   * Claims the id at the start, and takes back what an earlier process claimed under it. Fails with
   * an IllegalStateException, fit for an operator's eyes, when another living node has this id.
   */
  Future<Void> claim() {
    return own().compose(alone -> recoverOwn(0));
  }

  /** Takes the id, also from a process that does not renew it within two heartbeats: it is dead. */
  private Future<Void> own() {
    return own("")
        .compose(
            holder ->
                holder.isEmpty()
                    ? Future.succeededFuture(holder)
                    : wait(config.soleOwner()).compose(waited -> own(holder)))
        .map(
            holder -> {
              if (!holder.isEmpty()) {
                throw new IllegalStateException(
                    "node.id '" + config.nodeId() + "' is in use by another running node");
              }
              return null;
            });
  }

  private Future<?> wait(boolean soleOwner) {
    return soleOwner
        ? Future.succeededFuture()
        : vertx.timer(2 * config.settings().node().heartbeat().toMillis());
  }

  private Future<String> own(String seen) {
    return stores.node().nodes().own(life, beats, config.settings().node().lease(), seen);
  }

  /**
   * Keeps the id, with each heartbeat. Takes it from another process that has not renewed it for a
   * lease.
   *
   * @return false when another process has it by now
   */
  Future<Boolean> keep() {
    beats++;
    return own(isSilent() ? holder : "").map(this::isOwn);
  }

  private boolean isOwn(String found) {
    if (!found.equals(holder)) {
      holder = found;
      holderSeenNanos = nanoTime.getAsLong();
    }
    return found.isEmpty();
  }

  private boolean isSilent() {
    long silent = nanoTime.getAsLong() - holderSeenNanos;
    return !holder.isEmpty() && silent > config.settings().node().lease().toNanos();
  }

  private Future<Void> recoverOwn(int partition) {
    if (partition == config.partitions()) {
      return Future.succeededFuture();
    }
    return stores
        .attempt()
        .claims()
        .recover(partition, config.nodeId(), clock.instant())
        .compose(moved -> recoverOwn(moved < ClaimStore.SLICE ? partition + 1 : partition));
  }
}
