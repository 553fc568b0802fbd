package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Test of two nodes on a master with two replicas, under load, while three Sentinels replace the
 * master.
 */
class SentinelIT extends ProcessTestBase {

  @AutoClose private RedisSentinels redis;

  /** Returns settings of a node with this level of durability. */
  private Map<String, String> node(String durability) {
    return on(
        redis.uris(),
        "CARILLON_REDIS_MODE",
        "sentinel",
        "CARILLON_REDIS_MASTER_NAME",
        RedisSentinels.MASTER_NAME,
        "CARILLON_REDIS_DURABILITY",
        durability,
        CONNECTIONS_PER_ADDRESS,
        "0");
  }

  /**
   * Starts servers that support the level {@code replica}. At a lower level, a failover may lose
   * accepted jobs, and a restarted master may accept jobs until it learns that it was replaced.
   */
  private static RedisSentinels confirming() {
    return RedisSentinels.start(
        "appendfsync always", "min-replicas-to-write 1", "min-replicas-max-lag 2");
  }

  @Test
  void aMasterThatIsKilledUnderLoadIsReplacedWithoutLoss() {
    redis = confirming();
    Map<String, String> settings = node("replica");
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(settings);
        CarillonProcess other = start(settings)) {
      assertTrue(node.output().contains("(sentinel, 2 replicas)"), node.output());
      try (Submitter submitter = new Submitter(node, ledger, "s", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);
        RedisServer killed = redis.master();
        killed.kill9();
        Duration refusals = submitter.awaitEndOfRefusals(PATIENCE);
        killed.restart(); // still considers itself the master for a moment
        submitter.finish();

        assertKept(submitter, ledger, node, other);
        System.out.printf(
            "sentinel, kill -9 of the master: refusals for %d ms; %s; repeated %d; lateness %s%n",
            refusals.toMillis(),
            submitter,
            ledger.repeated().size(),
            Jobs.figures(ledger.lateness()));
      }
    }
  }

  @Test
  void aMasterThatIsFrozenAndGoesOnAfterItsReplacementIsNotWrittenTo() {
    redis = confirming();
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(node("replica"));
        CarillonProcess other = start(node("replica"))) {
      assertTrue(node.get("/health/ready").body().contains("\"durability\":\"replica\""));
      try (Submitter submitter = new Submitter(node, ledger, "p", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);
        RedisServer frozen = redis.master();
        frozen.pause();
        Duration refusals = submitter.awaitEndOfRefusals(PATIENCE);
        int accepted = submitter.accepted();
        frozen.resume();
        Await.until("acceptance", PATIENCE, () -> submitter.accepted() > accepted + 300);
        Await.until("the demotion", PATIENCE, () -> !RedisSentinels.isMaster(frozen));
        submitter.finish();

        assertKept(submitter, ledger, node, other);
        assertFalse(RedisSentinels.isMaster(frozen));
        System.out.printf(
            "sentinel, frozen master, replica level: refusals for %d ms; %s; repeated %d; lateness %s%n",
            refusals.toMillis(),
            submitter,
            ledger.repeated().size(),
            Jobs.figures(ledger.lateness()));
      }
    }
  }

  private void assertKept(
      Submitter submitter, Ledger ledger, CarillonProcess node, CarillonProcess other) {
    awaitSettled(ledger, redis.elected()::ask);

    assertEquals(List.of(), submitter.faults());
    assertReady(node, other);
  }

  @Test
  void aLevelThatRedisDoesNotGiveIsRefusedInOneLine() {
    redis = RedisSentinels.start();

    CarillonProcess.Exit exit = run(node("replica"));

    assertEquals(1, exit.code(), exit.out());
    assertEquals(1, exit.err().lines().count(), exit.err());
    assertTrue(
        exit.err().contains("cannot give redis.durability = replica: it has appendfsync no"),
        exit.err());
  }
}
