package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Guards this node's id: ensures at the start and with every heartbeat that only one process has
 * it. At the start it also recovers the claims of an earlier process that was killed.
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
   * Creates a guard without the id.
   *
   * @param nanoTime clock of the lease
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
   * Takes the id at the start and recovers the claims of an earlier process. Fails with an
   * IllegalStateException, with a text for operators, if another living node has the id.
   */
  Future<Void> claim() {
    return own()
        .compose(
            alone ->
                AsyncLoops.each(
                    IntStream.range(0, config.partitions()).boxed().toList(),
                    partition -> AsyncLoops.whileMore(() -> recoverOwn(partition))));
  }

  /**
   * Takes the id, also from a process that does not renew it within two heartbeats and is therefore
   * dead.
   */
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
   * Renews the id with each heartbeat. Takes it from another process that has not renewed it for a
   * lease.
   *
   * @return false if another process has it now
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

  /** Returns whether there may be more. */
  private Future<Boolean> recoverOwn(int partition) {
    return stores
        .attempt()
        .claims()
        .recover(partition, config.nodeId(), clock.instant())
        .map(moved -> moved == ClaimStore.SLICE);
  }
}
