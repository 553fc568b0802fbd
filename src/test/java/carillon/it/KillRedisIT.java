package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.EmbeddedChild;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Test of a Redis that is killed and restarted while its node accepts jobs and makes calls. */
class KillRedisIT extends ProcessTestBase {
  @Test
  void redisKilledAndRestartedLosesAndRepeatsNothing() {
    try (RedisServer redis = RedisServer.start();
        Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(on(redis, CONNECTIONS_PER_ADDRESS, "0"))) {
      try (Submitter submitter = new Submitter(node, ledger, "r", 150)) {
        for (int round = 1; round <= 3; round++) {
          int before = ledger.count();
          int refused = submitter.refused();
          Await.until("calls", PATIENCE, () -> ledger.count() > before + 200);
          redis.kill9();
          Await.until("refusals", PATIENCE, () -> submitter.refused() > refused + 50);
          redis.restart();
        }
        int accepted = submitter.accepted();
        Await.until("acceptance again", PATIENCE, () -> submitter.accepted() > accepted + 100);
        submitter.finish();

        assertKept(node, submitter, ledger, redis::ask);
        assertEquals(Map.of(), ledger.repeated());
        System.out.printf(
            "kill -9 of Redis, three times: %s; lateness %s%n",
            submitter, Jobs.figures(ledger.lateness()));
      }
    }
  }

  @Test
  void theEmbeddedRedisIsStartedAgainAndTheWorkGoesOn() {
    try (Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(CONNECTIONS_PER_ADDRESS, "0")) {
      EmbeddedChild first = node.redis();
      try (Submitter submitter = new Submitter(node, ledger, "e", 150)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);

        Instant killed = Instant.now();
        first.kill9();
        Await.until("a new Redis", PATIENCE, () -> node.redis().pid() != first.pid());
        int accepted = submitter.accepted();
        Await.until("acceptance again", PATIENCE, () -> submitter.accepted() > accepted + 100);
        submitter.finish();

        assertNotEquals(first.pid(), node.redis().pid());
        assertKept(node, submitter, ledger, node.redis()::ask);
        // With appendfsync everysec, Redis answers before the write during a slow fsync. Runs whose
        // records from the last seconds are lost are repeated.
        assertTrue(
            ledger.repeated().values().stream()
                .allMatch(
                    calls ->
                        calls.size() == 2
                            && calls.get(0).arrived().isAfter(killed.minusSeconds(3))),
            () -> ledger.repeated().toString());
        System.out.printf(
            "kill -9 of the embedded Redis: %s; lateness %s%n",
            submitter, Jobs.figures(ledger.lateness()));
      }
    }
  }

  private static void assertKept(
      CarillonProcess node, Submitter submitter, Ledger ledger, UnaryOperator<String> redis) {
    awaitSettled(ledger, redis);
    assertEquals(List.of(), submitter.faults(), () -> node.output() + node.errors());
  }
}
