package carillon.timer;

import carillon.config.Settings;
import carillon.store.Gate;
import carillon.store.Lease;
import carillon.store.NodeStore;
import carillon.store.RunStore;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens with every heartbeat: the lease is renewed, the others are seen, claims of dead
 * nodes are taken back, and gates that were opened let go what waited. Confined to the timer's
 * event loop.
 */
final class Heart {
  private static final Logger LOG = LoggerFactory.getLogger(Heart.class);

  /**
   * A dead node stays listed for so long: a claim of its that was under way when it died is still
   * found.
   */
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private final Stores stores;
  private final TimeKeeper clock;
  private final Lease lease;
  private final Membership members;
  private final Claimer claimer;
  private final long leaseMillis;
  private final int partitions;
  private long steadySince = Long.MAX_VALUE;

  Heart(
      Stores stores,
      TimeKeeper clock,
      Lease lease,
      Membership members,
      Claimer claimer,
      Settings.Node node,
      int partitions) {
    this.stores = stores;
    this.clock = clock;
    this.lease = lease;
    this.members = members;
    this.claimer = claimer;
    this.leaseMillis = node.lease().toMillis();
    this.partitions = partitions;
  }

  /** One beat; never fails, a beat that did not reach Redis is only logged. */
  Future<Void> beat() {
    long begun = lease.begin();
    return stores
        .nodes()
        .beat()
        .onSuccess(
            view -> {
              lease.renew(begun);
              see(view);
            })
        .onFailure(
            failure -> {
              steadySince = Long.MAX_VALUE;
              LOG.atWarn().addKeyValue("error", failure.getMessage()).log("heartbeat failed");
            })
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private void see(NodeStore.View view) {
    long now = clock.millis();
    steadySince = Math.min(steadySince, now);
    members.update(view.heartbeats(), now - leaseMillis);
    claimer.gates(collection -> Gate.isClosed(view.gates().get(collection)));
    view.gates().forEach((collection, gate) -> openGate(collection, gate, now));
    if (now - steadySince >= leaseMillis) {
      // After an outage of Redis every node looks dead for a while: only who has seen a whole lease
      // pass may judge.
      members.dead().forEach(node -> bury(node, view.heartbeats(), now));
    }
  }

  private void bury(String node, Map<String, Long> heartbeats, long now) {
    ranked().forEach(partition -> recover(partition, node));
    if (now - heartbeats.get(node) > REMEMBERED.toMillis()) {
      stores.nodes().forget(node).onFailure(this::later);
    }
  }

  private IntStream ranked() {
    return IntStream.range(0, partitions).filter(partition -> members.rank(partition) == 0);
  }

  private void recover(int partition, String node) {
    stores
        .runs()
        .recover(partition, node, clock.instant())
        .onFailure(this::later)
        .onSuccess(
            moved -> {
              if (moved > 0) {
                LOG.atWarn()
                    .addKeyValue("node", node)
                    .addKeyValue("partition", partition)
                    .addKeyValue("runs", moved)
                    .log("took over the claims of a dead node");
                claimer.look(partition);
              }
              if (moved == RunStore.SLICE) {
                recover(partition, node);
              }
            });
  }

  private void openGate(String collection, String gate, long now) {
    if (Gate.isClosed(gate)) {
      return;
    }
    ranked().forEach(partition -> unpark(partition, collection));
    if (Gate.isOpenFor(gate, REMEMBERED, now)) {
      stores.nodes().forgetGate(collection).onFailure(this::later);
    }
  }

  private void unpark(int partition, String collection) {
    stores
        .runs()
        .unpark(partition, collection, clock.instant())
        .onFailure(this::later)
        .onSuccess(
            moved -> {
              if (moved > 0) {
                claimer.look(partition);
              }
              if (moved == RunStore.SLICE) {
                unpark(partition, collection);
              }
            });
  }

  private void later(Throwable failure) {
    LOG.atWarn()
        .addKeyValue("error", failure.getMessage())
        .log("will be tried again with the next heartbeat");
  }
}
