package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore;
import carillon.store.attempt.AttemptStore.Finished;
import carillon.store.attempt.NextOccurrence;
import carillon.store.attempt.NextOccurrence.Fate;
import carillon.store.attempt.WaitingList;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests of steps that Redis performed, with answers that never reached the node. */
class LostAnswersTest extends EngineFixture {
  /** Claims the due attempt at an instant, under the engine's name and without its knowledge. */
  private Claim claim(String job, Instant now) {
    int partition = Engine.KEYS.partition(Engine.name(job).key());
    return engine
        .stores(stores -> stores.attempt().claims().claim(partition, now.toEpochMilli(), now, 10))
        .attempts()
        .get(0)
        .claim();
  }

  private JobJson atFive() {
    return JobJson.get(target.url("/call")).startTime("2026-11-20T12:05:00Z");
  }

  private String everyMinute() {
    return atFive().every("minute").json();
  }

  @Test
  void aClaimThatTheNodeNeverHeardOfIsCarriedOut() {
    engine.put("j", atFive().json());
    Instant due = NOON.plusSeconds(300);

    claim("j", due);
    clock.set(due);
    engine.look();
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals("completed", engine.get("j").state().word());
    assertEquals(1, target.calls().size());
  }

  @Test
  void armingAgainFindsTheClaimWhereItWasMoved() {
    engine.put("j", everyMinute());
    engine.freeze();
    Instant late = NOON.plusSeconds(600);
    Claim claim = claim("j", late);
    Attempt attempt = claim.attempt();
    Attempt moved = attempt.movedTo(late);
    HistoryEntry missed = HistoryEntry.of(attempt, late, late, HistoryEntry.Status.SKIPPED, "5");
    NextOccurrence next =
        new NextOccurrence(
            moved,
            Optional.of(late.plusSeconds(60)),
            Optional.of(late.plusSeconds(60)),
            Optional.empty(),
            Fate.PERFORMED,
            5,
            Optional.of(missed));

    AttemptStore.Scheduled first = attempts(all -> all.scheduleNext(claim, next, Optional.empty()));
    AttemptStore.Scheduled repeat =
        attempts(all -> all.scheduleNext(claim, next, Optional.empty()));

    assertEquals(
        List.of(AttemptStore.Scheduled.SCHEDULED, AttemptStore.Scheduled.SCHEDULED),
        List.of(first, repeat));
    assertEquals(1, engine.claims());
    assertEquals(1, engine.history("j").size());
  }

  private <T> T attempts(Function<AttemptStore, Future<T>> step) {
    return engine.stores(stores -> step.apply(stores.attempt().attempts()));
  }

  /** The first claim is released. The second exists when that release is repeated. */
  @Test
  void handingBackAgainLeavesALaterClaimOfTheSameRunAlone() {
    engine.put("j", everyMinute());
    engine.freeze();
    Instant due = NOON.plusSeconds(300);

    Claim first = claim("j", due);
    attempts(all -> all.release(first, due));
    claim("j", due);
    attempts(all -> all.release(first, due));

    assertEquals(1, engine.claims());
    assertEquals(List.of(), engine.due());
  }

  /** Acts like a node of a version without tokens that recovers a claim with one. */
  @Test
  void aRunThatWaitsWithTheTokenOfAnEarlierClaimIsCarriedOutOnce() {
    long revision = engine.put("j", everyMinute()).revision();
    engine.freeze();
    Instant due = NOON.plusSeconds(300);
    Claim claim = claim("j", due);
    String slot = "carillon:{" + Engine.KEYS.partition(claim.attempt().job()) + "}:";
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
    Instant due = NOON.plusSeconds(300);

    Claim first = claim("j", due);
    attempts(all -> all.parkForCollection(first, first.attempt().collection()));
    engine.stores(
        stores ->
            stores
                .attempt()
                .lists()
                .release(
                    Engine.KEYS.partition(first.attempt().job()),
                    WaitingList.ofCollection(first.attempt().collection()),
                    due));
    claim("j", due);
    attempts(all -> all.parkForCollection(first, first.attempt().collection()));

    assertEquals(1, engine.claims());
  }

  private AttemptOutcome outcome(
      Claim claim, Optional<AttemptOutcome.Following> following, Instant end) {
    Attempt attempt = claim.attempt();
    HistoryEntry.Status status =
        following.isEmpty() ? HistoryEntry.Status.COMPLETED : HistoryEntry.Status.FAILED;
    HistoryEntry entry = HistoryEntry.of(attempt, end, end, status, "done");
    return new AttemptOutcome(
        entry,
        following,
        false,
        following.isEmpty() && !attempt.job().endsWith("often")
            ? Optional.of(JobState.COMPLETED)
            : Optional.empty(),
        OptionalInt.empty(),
        false);
  }

  private List<Finished> finishTwice(Claim claim, Optional<AttemptOutcome.Following> following) {
    Instant end = NOON.plusSeconds(301);
    AttemptOutcome outcome = outcome(claim, following, end);
    Finished first = engine.finish(claim, outcome);
    return List.of(first, engine.finish(claim, outcome));
  }

  private String once() {
    return atFive().json();
  }

  @Test
  void finishingAgainIsAnsweredAsTheFirstTime() {
    Instant due = NOON.plusSeconds(300);
    engine.freeze();

    engine.put("done", once());
    assertEquals(
        List.of(Finished.COMPLETED, Finished.COMPLETED),
        finishTwice(claim("done", due), Optional.empty()));
    engine.put("often", everyMinute());
    assertEquals(
        List.of(Finished.DONE, Finished.DONE), finishTwice(claim("often", due), Optional.empty()));
    engine.put("retried", once());
    Claim retried = claim("retried", due);
    AttemptOutcome.Following retry =
        new AttemptOutcome.Following(retried.attempt().retry(), due.plusSeconds(30));
    assertEquals(List.of(Finished.DONE, Finished.DONE), finishTwice(retried, Optional.of(retry)));
    assertEquals(1, engine.history("retried").size());
    assertEquals(1, engine.get("done").counters().executions());
  }

  @Test
  void finishingWhatAnotherNodeHasTakenOverIsLost() {
    engine.put("j", once());
    engine.freeze();
    Instant due = NOON.plusSeconds(300);
    Claim claim = claim("j", due);
    engine.stores(
        stores ->
            stores
                .attempt()
                .claims()
                .recover(Engine.KEYS.partition(claim.attempt().job()), "node", due));

    assertEquals(List.of(Finished.LOST, Finished.LOST), finishTwice(claim, Optional.empty()));
  }

  /** The recovery was in flight when the node, which was considered dead, came back. */
  @Test
  void aRecoveryThatIsLateLeavesAloneWhatTheNodeHasClaimedSince() {
    engine.put("before", once());
    engine.freeze();
    Instant judged = NOON.plusSeconds(300);
    Claim before = claim("before", judged);
    engine.put("since", once());
    Claim since = claim("since", judged.plusMillis(1));

    for (Claim claim : List.of(before, since)) {
      int partition = Engine.KEYS.partition(claim.attempt().job());
      engine.stores(stores -> stores.attempt().claims().recover(partition, "node", judged, judged));
    }

    assertEquals(
        List.of(before.attempt().member().replace("crashes=0", "crashes=1")), engine.due());
    assertEquals(1, engine.claims());
  }
}
