package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.Backlog;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisSentinels;
import carillon.support.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on a master with two replicas, which three Sentinels replace under load. */
class SentinelIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path dir;
  private RedisSentinels redis;

  @AfterEach
  void stopRedis() {
    redis.close();
  }

  private Map<String, String> settings(String... more) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "CARILLON_REDIS_MODE",
                "sentinel",
                "CARILLON_REDIS_URI",
                redis.uris(),
                "CARILLON_REDIS_MASTER_NAME",
                RedisSentinels.MASTER_NAME,
                "CARILLON_EGRESS_LOOPBACK",
                "allow"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  /**
   * Servers that give the level {@code replica}: at a lower one a failover may forget what was
   * accepted, and a master that comes back may take jobs until it learns that it was replaced.
   */
  private static RedisSentinels confirming() {
    return RedisSentinels.start(
        "appendfsync always", "min-replicas-to-write 1", "min-replicas-max-lag 2");
  }

  @Test
  void aMasterThatIsKilledUnderLoadIsReplacedWithoutLoss() {
    redis = confirming();
    Map<String, String> settings = settings("CARILLON_REDIS_DURABILITY", "replica");
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = CarillonProcess.start(dir, settings);
        CarillonProcess other = CarillonProcess.start(dir, settings)) {
      assertTrue(node.output().contains("(sentinel, 2 replicas)"), node.output());
      try (Submitter submitter = new Submitter(node, ledger, "s", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);
        RedisServer killed = redis.master();
        killed.kill9();
        Duration refusals = submitter.awaitEndOfRefusals(PATIENCE);
        killed.restart(); // for a moment a master by its own account
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
        CarillonProcess node =
            CarillonProcess.start(dir, settings("CARILLON_REDIS_DURABILITY", "replica"));
        CarillonProcess other =
            CarillonProcess.start(dir, settings("CARILLON_REDIS_DURABILITY", "replica"))) {
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
    ledger.awaitSettled(PATIENCE);
    new Backlog(redis.elected()::ask).awaitEmpty(PATIENCE);
    assertEquals(List.of(), ledger.faults());
    assertEquals(List.of(), submitter.faults());
    assertEquals(200, node.get("/health/ready").statusCode());
    assertEquals(200, other.get("/health/ready").statusCode());
  }

  @Test
  void aLevelThatRedisDoesNotGiveIsRefusedInOneLine() {
    redis = RedisSentinels.start();

    CarillonProcess.Exit exit =
        CarillonProcess.run(dir, settings("CARILLON_REDIS_DURABILITY", "replica"));

    assertEquals(1, exit.code(), exit.out());
    assertEquals(1, exit.err().lines().count(), exit.err());
    assertTrue(
        exit.err().contains("cannot give redis.durability = replica: it has appendfsync no"),
        exit.err());
  }
}
