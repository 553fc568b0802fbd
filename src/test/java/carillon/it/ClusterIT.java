package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisCluster;
import carillon.support.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Test of two nodes on a Redis Cluster of six processes during failover and resharding under load.
 */
class ClusterIT extends ProcessTestBase {

  @AutoClose private RedisCluster cluster;

  @BeforeEach
  void startCluster() {
    cluster = RedisCluster.start();
    cluster.neverFailOver();
  }

  private Map<String, String> node() {
    return on(
        cluster.uris(),
        "CARILLON_REDIS_MODE",
        "cluster",
        "CARILLON_NODE_LEASE",
        "60s", // a node that a busy machine delays must not count as dead
        CONNECTIONS_PER_ADDRESS,
        "0");
  }

  @Test
  void aMasterThatIsKilledUnderLoadCostsItsPartitionsAPauseAndNothingElse() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(node());
        CarillonProcess other = start(node())) {
      assertTrue(node.output().contains("(cluster, 3 masters)"), node.output());
      try (Submitter submitter = new Submitter(node, ledger, "c", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);
        RedisServer killed = cluster.masterOf(cluster.slot("{0}"));
        cluster.awaitReplicationAndKill(killed);
        cluster.failOver();
        Duration refusals = submitter.awaitEndOfRefusals(PATIENCE);
        cluster.neverFailOver();
        killed.restart();
        submitter.finish();

        awaitSettled(ledger, cluster::sum);

        assertEquals(List.of(), submitter.faults());
        assertReady(node, other);
        System.out.printf(
            "cluster, kill -9 of a master: refusals for %d ms; %s; repeated %d; lateness %s%n",
            refusals.toMillis(),
            submitter,
            ledger.repeated().size(),
            Jobs.figures(ledger.lateness()));
      }
    }
  }

  @Test
  void partitionsThatAreMovedUnderLoadLoseAndRepeatNothing() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(node());
        CarillonProcess other = start(node())) {
      try (Submitter submitter = new Submitter(node, ledger, "m", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);
        int moved = moveHalfOf(cluster.server(0), cluster.server(1), submitter);
        int accepted = submitter.accepted();
        Await.until("acceptance", PATIENCE, () -> submitter.accepted() > accepted + 100);
        submitter.finish();

        awaitSettledOnce(ledger, cluster::sum);
        assertEquals(List.of(), submitter.faults());
        assertTrue(cluster.sizes().stream().allMatch(size -> size > 0), cluster.sizes()::toString);
        assertReady(other);
        System.out.printf(
            "cluster, %d partitions moved: %s; keys per master %s; lateness %s%n",
            moved, submitter, cluster.sizes(), Jobs.figures(ledger.lateness()));
      }
    }
  }

  /**
   * Moves a few keys at a time, so that the load meets partitions whose keys are on both servers.
   */
  private int moveHalfOf(RedisServer from, RedisServer to, Submitter submitter) {
    int moved = 0;
    for (int partition = 0; partition < 64; partition += 2) {
      int slot = cluster.slot("{" + partition + "}");
      if (cluster.masterOf(slot) == from) {
        cluster.beginMove(slot, from, to);
        if (moved == 0) {
          int refused = submitter.refused();
          cluster.moveKeys(slot, 3, from, to);
          Await.until("a job for it", PATIENCE, () -> submitter.refused() > refused);
        }
        while (cluster.moveKeys(slot, 3, from, to)) {}
        cluster.endMove(slot, from, to);
        moved++;
      }
    }
    return moved;
  }
}
