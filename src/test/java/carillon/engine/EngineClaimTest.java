package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.name.JobState;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the claims that a node makes, holds and loses. */
class EngineClaimTest extends EngineFixture {
  @Test
  void claimsOfADeadNodeAreMadeAgainWithTheSameExecutionId() {
    target.keepSilent();
    engine.put("j", once("2026-11-20T12:01:00Z"));
    try (Engine other = new Engine(redis().setup(), "other", clock)) {
      other.freeze();
      claimAll(other, at("12:01:00"));
      assertEquals(1, other.claims());
    }
    clock.set(at("12:01:00"));
    engine.redis(
        Command.ZADD, "carillon:nodes", String.valueOf(at("12:01:00").toEpochMilli()), "other");
    target.answer(200);

    liveFor(EngineSettings.LEASE.minusSeconds(1));
    assertEquals(List.of(), target.calls());
    liveFor(Duration.ofSeconds(4));
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(1, engine.get("j").counters().executions());
  }

  /**
   * Claims like a node that dies right after its claim. The others have not reached the instant
   * yet.
   */
  private void claimAll(Engine node, Instant now) {
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      int p = partition;
      node.stores(s -> s.attempt().claims().claim(p, now.toEpochMilli(), now, 10));
    }
  }

  private void liveFor(Duration time) {
    for (int second = 0; second < time.toSeconds(); second++) {
      clock.advance(Duration.ofSeconds(1));
      engine.beat();
    }
  }

  @Test
  void anAttemptThatKeepsKillingNodesIsGivenUp() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    clock.set(at("12:01:00"));
    engine.freeze();
    for (int crash = 0; crash < 6; crash++) {
      claimAll(engine, clock.instant());
      engine.stores(this::recoverAll);
    }

    engine.beat();
    engine.step();

    assertEquals(List.of(), target.calls());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertTrue(
        engine.history("j").get(0).message().contains("ended, or failed at it, 6 times"),
        engine.history("j").get(0).message());
  }

  private io.vertx.core.Future<Integer> recoverAll(Stores stores) {
    io.vertx.core.Future<Integer> last = io.vertx.core.Future.succeededFuture(0);
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      last = stores.attempt().claims().recover(partition, "node", clock.instant());
    }
    return last;
  }

  @Test
  void aNodeWhoseLeaseRanOutSendsNothingAndClaimsNothing() {
    engine.put("j", once("2026-11-20T12:01:00Z"));

    engine.pass(Duration.ofSeconds(10));
    clock.set(at("12:01:00"));
    engine.poll();
    engine.awaitIdle();
    assertEquals(List.of(), target.calls());
    engine.beat();
    engine.step();

    assertEquals(1, target.calls().size());
  }

  @Test
  void aHerdAtOneInstantIsCalledOnceEach() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3000; i++) {
      engine.put("j" + i, once("2026-11-20T12:01:00Z"));
      ids.add("j" + i);
    }

    engine.stepTo(at("12:01:00"));
    // Attempts without a place at the target come back a little later.
    while (engine.due().stream().anyMatch(due -> due.startsWith("run:"))) {
      engine.stepTo(clock.instant().plusMillis(100));
    }

    assertEquals(3000, target.calls().size());
    target.calls().forEach(call -> ids.remove(call.headers().get("Carillon-Job")));
    assertEquals(Set.of(), ids);
  }

  @Test
  void aLookFindsWhatIsDueAfterALongIdleTime() {
    engine.put("j", once("2026-11-20T13:00:00Z"));

    clock.set(at("13:00:00"));
    engine.look();

    target.awaitCalls(1);
    engine.awaitIdle();
  }

  @Test
  void roomForOneAttemptIsEnoughForAllPartitions() {
    engine.close();
    engine = new Engine(redis().setup(), "node", clock, roomForOne());
    for (int i = 0; i < 20; i++) {
      engine.put("j" + i, once("2026-11-20T12:01:00Z"));
    }

    clock.set(at("12:01:00"));
    engine.poll();

    target.awaitCalls(20);
    engine.awaitIdle();
  }

  private static Settings roomForOne() {
    return EngineSettings.with("dispatch.maxInFlight=1", "dispatch.maxPerDestination=1");
  }

  @Test
  void aSecondClaimOfTheSameInstantFindsNothing() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    int partition = Engine.KEYS.partition("default/default/default/j");
    // This is not the clock's instant, or the engine's own timer might come first.
    Instant due = at("12:01:00");

    ClaimResult first =
        engine.stores(s -> s.attempt().claims().claim(partition, due.toEpochMilli(), due, 256));
    ClaimResult second =
        engine.stores(s -> s.attempt().claims().claim(partition, due.toEpochMilli(), due, 256));

    assertEquals(1, first.attempts().size());
    assertEquals(List.of(), second.attempts());
  }
}
