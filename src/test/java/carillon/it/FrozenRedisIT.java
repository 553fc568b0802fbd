package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.Ledger;
import carillon.support.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Test of a Redis that stops with open connections, as after a disk failure or on a paused machine.
 */
class FrozenRedisIT extends ProcessTestBase {
  private static final Duration FROZEN = Duration.ofSeconds(5);

  @Test
  void aFrozenRedisIsAnsweredFor503AndThenEverythingDrains() {
    try (RedisServer redis = RedisServer.start();
        Ledger ledger = new Ledger(Duration.ofMillis(20));
        CarillonProcess node = start(on(redis, CONNECTIONS_PER_ADDRESS, "0"))) {
      try (Submitter submitter = new Submitter(node, ledger, "f", 100)) {
        Await.until("calls", PATIENCE, () -> ledger.count() > 200);

        redis.pause();
        Instant thaw = Instant.now().plus(FROZEN);
        Await.until(
            "refusals, until the end of the frost",
            PATIENCE,
            () -> submitter.refused() > 50 && Instant.now().isAfter(thaw));
        redis.resume();
        int accepted = submitter.accepted();
        Await.until("acceptance again", PATIENCE, () -> submitter.accepted() > accepted + 100);
        submitter.finish();

        awaitSettledOnce(ledger, redis::ask);
        assertEquals(List.of(), submitter.faults());
        assertReady(node);
        System.out.printf(
            "Redis frozen for %d s: %s; lateness %s%n",
            FROZEN.toSeconds(), submitter, Jobs.figures(ledger.lateness()));
      }
    }
  }

  @Test
  void claimsThatTheNodeNeverHeardOfAreFoundThoughNothingElseIsDue() {
    try (RedisServer redis = RedisServer.start();
        Ledger ledger = new Ledger(Duration.ofMillis(1));
        CarillonProcess node =
            // Few partitions, so that Redis reads all pending commands together.
            start(on(redis, "CARILLON_PARTITIONS", "8"))) {
      // The first request to a new JVM takes long on a busy machine.
      node.get("/jobcollections/default");
      Instant due = in(Duration.ofSeconds(10));
      Jobs.putAll(node, ledger, "u", 20, i -> due);
      Await.until("shortly before", () -> Instant.now().isAfter(due.minusSeconds(1)));

      // The node sends a claim and gives up waiting, and Redis performs the claim when it resumes.
      redis.pause();
      Await.until(
          "the node to give up",
          PATIENCE,
          () ->
              node.get("/jobcollections/default").statusCode() == 503
                  && node.output().contains("Redis is unavailable"));
      redis.resume();

      awaitSettledOnce(ledger, redis::ask);
      System.out.printf("claims lost in the frost: lateness %s%n", Jobs.figures(ledger.lateness()));
    }
  }
}
