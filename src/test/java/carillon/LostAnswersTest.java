package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Claim;
import carillon.job.HistoryEntry;
import carillon.job.JobState;
import carillon.job.Run;
import carillon.store.Arming;
import carillon.store.Outcome;
import carillon.store.RunStore;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step was carried out by Redis and its answer never reached the node. */
class LostAnswersTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private final TestClock clock = new TestClock(START);
  private Engine engine;
  private CallbackServer target;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    target = new CallbackServer();
    engine = new Engine(RedisServer.shared(), "node", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
    target.close();
  }

  /** Claims what is due at an instant under the engine's name and behind its back. */
  private Claim claim(String job, Instant now) {
    int partition = Engine.KEYS.partition(Engine.name(job).key());
    return engine
        .stores(stores -> stores.runs().claim(partition, now.toEpochMilli(), now, 10))
        .runs()
        .get(0)
        .claim();
  }

  private String everyMinute() {
    return "{\"startTime\":\"2026-11-20T12:05:00Z\",\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
        + target.url("/call")
        + "\",\"method\":\"GET\"}},\"recurrence\":{\"frequency\":\"minute\"}}";
  }

  @Test
  void aClaimThatTheNodeNeverHeardOfIsCarriedOut() {
    engine.put("j", everyMinute().replace(",\"recurrence\":{\"frequency\":\"minute\"}", ""));
    Instant due = START.plusSeconds(300);

    claim("j", due);
    clock.set(due);
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals("completed", engine.get("j").state().word());
    assertEquals(1, target.calls().size());
  }

  @Test
  void armingAgainFindsTheClaimWhereItWasMoved() {
    long revision = engine.put("j", everyMinute()).revision();
    engine.freeze();
    Instant late = START.plusSeconds(600);
    Claim claim = claim("j", late);
    Run run = claim.run();
    Run moved = run.movedTo(late);
    HistoryEntry missed =
        new HistoryEntry(
            late, late, run.nominal(), HistoryEntry.Status.SKIPPED, run.phase(), 1, 0, "", "5");
    Arming arming =
        new Arming(run, moved, Optional.of(late.plusSeconds(60)), 5, Optional.of(missed));

    RunStore.Armed first =
        engine.stores(stores -> stores.runs().arm(claim, arming, revision, late));
    RunStore.Armed repeat =
        engine.stores(stores -> stores.runs().arm(claim, arming, revision, late));

    assertEquals(List.of(RunStore.Armed.ARMED, RunStore.Armed.ARMED), List.of(first, repeat));
    assertEquals(1, engine.claims());
    assertEquals(1, engine.history("j").size());
  }

  /** The first claim is handed back, the second is there when that is done once more. */
  @Test
  void handingBackAgainLeavesALaterClaimOfTheSameRunAlone() {
    engine.put("j", everyMinute());
    engine.freeze();
    Instant due = START.plusSeconds(300);

    Claim first = claim("j", due);
    engine.stores(stores -> stores.runs().handBack(first, due));
    claim("j", due);
    engine.stores(stores -> stores.runs().handBack(first, due));

    assertEquals(1, engine.claims());
    assertEquals(List.of(), engine.due());
  }

  /** As a node of a version that knows no tokens recovers the claim of one that does. */
  @Test
  void aRunThatWaitsWithTheTokenOfAnEarlierClaimIsCarriedOutOnce() {
    long revision = engine.put("j", everyMinute()).revision();
    engine.freeze();
    Instant due = START.plusSeconds(300);
    Claim claim = claim("j", due);
    String slot = "carillon:{" + Engine.KEYS.partition(claim.run().job()) + "}:";
    engine.redis(Command.DEL, slot + "claims:node");
    engine.redis(Command.ZADD, slot + "due", "1", claim.text());

    engine.beat();
    engine.stepTo(due);

    assertEquals(1, target.calls().size());
    assertEquals(1, engine.history("j").size());
    assertEquals(revision, engine.get("j").revision());
  }

  @Test
  void parkingAgainLeavesALaterClaimOfTheSameRunAlone() {
    engine.put("j", everyMinute());
    engine.freeze();
    Instant due = START.plusSeconds(300);

    Claim first = claim("j", due);
    engine.stores(stores -> stores.runs().park(first));
    engine.stores(
        stores ->
            stores
                .runs()
                .unpark(Engine.KEYS.partition(first.run().job()), first.run().collection(), due));
    claim("j", due);
    engine.stores(stores -> stores.runs().park(first));

    assertEquals(1, engine.claims());
  }

  private Outcome outcome(Claim claim, Optional<Outcome.Following> following, Instant end) {
    Run run = claim.run();
    HistoryEntry.Status status =
        following.isEmpty() ? HistoryEntry.Status.COMPLETED : HistoryEntry.Status.FAILED;
    HistoryEntry entry =
        new HistoryEntry(
            end, end, run.nominal(), status, run.phase(), 1, 0, run.executionId(), "done");
    return new Outcome(
        run,
        entry,
        following,
        false,
        following.isEmpty() && !run.job().endsWith("often")
            ? Optional.of(JobState.COMPLETED)
            : Optional.empty());
  }

  private List<String> finishTwice(Claim claim, Optional<Outcome.Following> following) {
    Instant end = START.plusSeconds(301);
    Outcome outcome = outcome(claim, following, end);
    String first = engine.stores(stores -> stores.runs().finish(claim, outcome, end));
    return List.of(first, engine.stores(stores -> stores.runs().finish(claim, outcome, end)));
  }

  private String once() {
    return everyMinute().replace(",\"recurrence\":{\"frequency\":\"minute\"}", "");
  }

  @Test
  void finishingAgainIsAnsweredAsTheFirstTime() {
    Instant due = START.plusSeconds(300);
    engine.freeze();

    engine.put("done", once());
    assertEquals(
        List.of("completed", "completed"), finishTwice(claim("done", due), Optional.empty()));
    engine.put("often", everyMinute());
    assertEquals(List.of("DONE", "DONE"), finishTwice(claim("often", due), Optional.empty()));
    engine.put("retried", once());
    Claim retried = claim("retried", due);
    Outcome.Following retry = new Outcome.Following(retried.run().retry(), due.plusSeconds(30));
    assertEquals(List.of("DONE", "DONE"), finishTwice(retried, Optional.of(retry)));
    assertEquals(1, engine.history("retried").size());
    assertEquals(1, engine.get("done").counters().executions());
  }

  @Test
  void finishingWhatAnotherNodeHasTakenOverIsLost() {
    engine.put("j", once());
    engine.freeze();
    Instant due = START.plusSeconds(300);
    Claim claim = claim("j", due);
    engine.stores(
        stores -> stores.runs().recover(Engine.KEYS.partition(claim.run().job()), "node", due));

    assertEquals(List.of("LOST", "LOST"), finishTwice(claim, Optional.empty()));
  }

  /** It was on its way when the node, which it takes for dead, came back. */
  @Test
  void aRecoveryThatIsLateLeavesAloneWhatTheNodeHasClaimedSince() {
    engine.put("before", once());
    engine.freeze();
    Instant judged = START.plusSeconds(300);
    Claim before = claim("before", judged);
    engine.put("since", once());
    Claim since = claim("since", judged.plusMillis(1));

    for (Claim claim : List.of(before, since)) {
      int partition = Engine.KEYS.partition(claim.run().job());
      engine.stores(stores -> stores.runs().recover(partition, "node", judged, judged));
    }

    assertEquals(List.of(before.run().text().replace("crashes=0", "crashes=1")), engine.due());
    assertEquals(1, engine.claims());
  }
}
