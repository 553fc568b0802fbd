package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowEvent;
import carillon.flow.FlowGrant.Reason;
import carillon.job.Precondition;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a flow: its calls keep its limits, and other calls are not affected. */
class FlowEngineTest extends FlowFixture {
  private static final FlowPause PAUSE =
      new FlowPause(NOON, "test", Optional.empty(), Optional.empty());

  private final CallbackServer other = new CallbackServer();

  @AfterEach
  void stopOther() {
    other.close();
  }

  /** Puts jobs that are due at noon and pass the flow. */
  private void putAtNoon(int count) {
    for (int i = 0; i < count; i++) {
      engine.put("j" + i, inFlow(JobJson.get(target.url("/" + i)).startTime(NOON).noRetry()));
    }
  }

  @Test
  void whatWaitsIsNotCalledBeforeItsTimeAfterTheClockIsSetBack() {
    flow("{`parallelism`:1}");
    putAtNoon(2);
    target.hold();
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    awaitWaiting(1);

    clock.set(NOON.minusSeconds(60));
    target.release();
    Await.until(
        "it is due again",
        () -> {
          engine.lookAtFlows();
          return state().waiting() == 0;
        });
    engine.awaitIdle();
    assertEquals(1, target.calls().size());

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(2);
    engine.awaitIdle();
  }

  @Test
  void aFlowThatIsDamagedKeepsTheLimitsThatWereReadLast() {
    flow("{`parallelism`:1}");
    putAtNoon(3);
    engine.redis(Command.HSET, "carillon:flows", "default/default/crm", "damaged");
    engine.redis(Command.HINCRBY, "carillon:flows", "revision", "1");
    engine.lookAtFlows();
    target.hold();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    awaitWaiting(2);
    target.release();
    target.awaitCalls(3);
    engine.awaitIdle();

    assertEquals(1, target.mostAtOnce());
  }

  /** A new node has read no earlier definition of the flow. */
  @Test
  void aFlowThatWasNeverReadableHoldsTheJobsThatNameIt() {
    engine.redis(Command.HSET, "carillon:flows", "default/default/crm", "damaged");
    engine.redis(Command.HINCRBY, "carillon:flows", "revision", "1");
    putAtNoon(2);
    engine.put("other", JobJson.get(target.url("/other")).startTime(NOON).noRetry().json());
    engine.lookAtFlows();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    engine.awaitIdle();
    clock.advance(Duration.ofMinutes(5));
    engine.lookAtFlows();
    engine.poll();
    engine.awaitIdle();
    assertEquals(1, target.calls().size());

    flow("{`parallelism`:1}");
    engine.lookAtFlows();
    target.awaitCalls(3);
    engine.awaitIdle();
  }

  @Test
  void whatWasPassedOverWhileAJobWaitedForItsFlowIsNotBlamedOnNodesAlone() {
    engine.redis(Command.HSET, "carillon:flows", "default/default/crm", "damaged");
    engine.redis(Command.HINCRBY, "carillon:flows", "revision", "1");
    engine.put("j", inFlow(JobJson.get(target.url("/j")).startTime(NOON).every("minute")));
    engine.lookAtFlows();
    clock.set(NOON);
    engine.poll();
    engine.awaitIdle();

    clock.advance(Duration.ofMinutes(5));
    flow("{`parallelism`:1}");
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(
        List.of(
            "Not performed: 5 occurrences from 2026-11-20T12:00:00Z were missed: no node was there,"
                + " or the job waited for its flow 'crm'; the latest, of 2026-11-20T12:05:00Z, runs"
                + " late"),
        engine.history("j").stream()
            .filter(entry -> entry.status() == HistoryEntry.Status.SKIPPED)
            .map(HistoryEntry::message)
            .toList());
  }

  @Test
  void noMoreAreInFlightThanTheParallelism() {
    flow("{`parallelism`:3}");
    putAtNoon(20);
    target.hold();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(3);
    awaitWaiting(17);
    assertEquals(3, state().inFlight().get("node"));
    target.release();
    target.awaitCalls(20);
    engine.awaitIdle();

    assertEquals(3, target.mostAtOnce());
    assertEquals(0, state().waiting());
    Await.until(
        "all calls to be told of",
        () -> {
          clock.advance(Duration.ofMillis(100));
          return state().begunLastMinute() == 20;
        });
    for (int i = 0; i < 20; i++) {
      assertEquals(JobState.COMPLETED, engine.get("j" + i).state());
      assertEquals(1, engine.history("j" + i).size());
    }
  }

  @Test
  void noMoreBeginThanTheRateAllows() {
    flow("{`rate`:{`limit`:5,`per`:`PT1S`,`burst`:3}}");
    putAtNoon(12);

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(3);
    awaitWaiting(9);
    engine.awaitIdle();
    assertEquals(3, target.calls().size());

    for (int second = 0; second < 10 && target.calls().size() < 12; second++) {
      int before = target.calls().size();
      clock.advance(Duration.ofMillis(600));
      Await.until("more calls", () -> target.calls().size() == Math.min(12, before + 3));
      engine.awaitIdle();
    }

    assertEquals(12, target.calls().size());
    assertEquals(12, target.calls().stream().map(CallbackServer.Call::path).distinct().count());
  }

  @Test
  void whatPassesNoFlowDoesNotWait() {
    flow("{`parallelism`:1}");
    putAtNoon(5);
    engine.put("plain", JobJson.get(other.url("/plain")).startTime(NOON).json());
    target.hold();

    clock.set(NOON);
    engine.poll();

    other.awaitCalls(1);
    target.release();
    Await.until(
        "those of the flow",
        () -> {
          clock.advance(Duration.ofMillis(10));
          return target.calls().size() == 5;
        });
  }

  @Test
  void aDestinationPassesTheFlowThatMatchesIt() {
    flow("{`match`:`127.0.0.1`,`parallelism`:2}");
    for (int i = 0; i < 6; i++) {
      engine.put("j" + i, JobJson.get(target.url("/" + i)).startTime(NOON).json());
    }
    target.hold();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(2);
    awaitWaiting(4);
    target.release();
    target.awaitCalls(6);

    assertEquals(2, target.mostAtOnce());
  }

  @Test
  void aPausedFlowLetsNothingThroughUntilItIsResumed() {
    flow("{}", Optional.of(PAUSE));
    putAtNoon(5);

    engine.stepTo(NOON);
    awaitWaiting(5);
    clock.advance(Duration.ofMinutes(5));
    engine.step();
    assertEquals(List.of(), target.calls());
    assertEquals(Optional.of(NOON), state().oldest());

    flow("{}");
    target.awaitCalls(5);
    engine.awaitIdle();
  }

  @Test
  void callsThatEndWhileTheirFlowIsPausedHandTheirPlacesToNobody() {
    flow("{`parallelism`:2}");
    putAtNoon(6);
    target.hold();
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(2);
    awaitWaiting(4);

    flow(
        "{`parallelism`:2}",
        Optional.of(new FlowPause(NOON, "test", Optional.empty(), Optional.empty())));
    target.release();
    engine.awaitIdle();
    engine.lookAtFlows();
    engine.awaitIdle();
    assertEquals(2, target.calls().size());

    flow("{`parallelism`:2}");
    target.awaitCalls(6);
    engine.awaitIdle();
  }

  @Test
  void callsThatEndWhileTheirDestinationRestsHandTheirPlacesToNobody() {
    flow("{`parallelism`:2}");
    putAtNoon(6);
    target.hold();
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(2);
    awaitWaiting(4);

    String key = "carillon:flow:default/default/crm";
    String retryAt = "retry_at@127.0.0.1:" + URI.create(target.url("/")).getPort();
    engine.redis(Command.HSET, key, retryAt, millis(NOON.plusSeconds(30))); // by another node
    clock.advance(Duration.ofSeconds(1));
    engine.lookAtFlows();
    Await.until(
        "it is asked for again",
        () -> engine.redis(Command.HGET, key, "as_of").toString().equals(millis(clock.instant())));
    target.release();
    engine.awaitIdle();
    assertEquals(2, target.calls().size());
  }

  @Test
  void aPauseEndsByItself() {
    FlowPause pause =
        new FlowPause(NOON, "test", Optional.empty(), Optional.of(NOON.plusSeconds(60)));
    flow("{}", Optional.of(pause));
    putAtNoon(1);
    engine.stepTo(NOON);
    awaitWaiting(1);

    clock.set(NOON.plusSeconds(60));

    target.awaitCalls(1);
  }

  @Test
  void whatWaitsForAFlowThatIsDeletedGoesOnWithoutIt() {
    flow("{`parallelism`:1}");
    putAtNoon(300);
    target.hold();
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    awaitWaiting(299);

    engine.stores(
        stores -> stores.resource().flows().delete(CRM, Precondition.NONE, clock.instant()));
    engine.lookAtFlows();
    target.release();

    Await.until(
        "all calls",
        () -> {
          clock.advance(Duration.ofMillis(200));
          engine.poll();
          return target.calls().size() == 300;
        });
    engine.awaitIdle();
    engine.lookAtFlows();
    assertEquals(0, engine.redis(Command.EXISTS, "carillon:{0}:lists").toInteger());
  }

  @Test
  void aBreakerStopsWhatFailsAndLetsAProbeThrough() {
    flow("{`parallelism`:1,`breaker`:{`consecutive`:3,`pause`:`PT10S`}}");
    putAtNoon(10);
    target.answer(500);

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(3);
    awaitWaiting(7);
    Await.until("open", () -> state().openUntil().isPresent());
    engine.awaitIdle();
    assertEquals(3, target.calls().size());

    clock.advance(Duration.ofSeconds(10));
    target.awaitCalls(4);
    Await.until("open again", () -> state().openUntil().isPresent());
    engine.awaitIdle();
    assertEquals(4, target.calls().size());

    target.answer(200);
    clock.advance(Duration.ofSeconds(20));
    target.awaitCalls(10);
    engine.awaitIdle();
    List<FlowEvent> log =
        engine.stores(stores -> stores.resource().flows().log(CRM, clock.instant()));
    assertEquals(
        List.of("closed", "halfOpen", "open", "halfOpen", "open"),
        log.stream().map(event -> event.what().word()).toList());
    assertEquals(Optional.of(Reason.PROBE_FAILED), log.get(2).reason());
    assertEquals(Optional.of(NOON.plusSeconds(30)), log.get(2).until());
    assertEquals("node", log.get(0).by());
  }

  @Test
  void theDestinationPutsOffAllItsCalls() {
    flow("{`parallelism`:1}");
    putAtNoon(3);
    target.answer(503, java.util.Map.of("Retry-After", "30"));

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    Await.until("rest", () -> state().retryAt().isPresent());
    engine.awaitIdle();
    assertEquals(Optional.of(NOON.plusSeconds(30)), state().retryAt());
    assertEquals(1, target.calls().size());

    target.answer(200);
    clock.advance(Duration.ofSeconds(30));
    target.awaitCalls(3);
  }

  @Test
  void occurrencesThatAJobMissesWhileItWaitsAreOneEntry() {
    FlowPause pause = new FlowPause(NOON, "test", Optional.empty(), Optional.empty());
    flow("{}", Optional.of(pause));
    engine.put(
        "j",
        inFlow(
            JobJson.get(target.url("/call")).startTime(NOON).recurrence("{`frequency`:`minute`}")));
    engine.stepTo(NOON);
    awaitWaiting(1);
    clock.set(NOON.plusSeconds(200));
    engine.step();

    flow("{}");
    target.awaitCalls(1);
    engine.awaitIdle();

    List<HistoryEntry> history = engine.history("j");
    assertEquals(2, history.size());
    assertEquals(HistoryEntry.Status.COMPLETED, history.get(0).status());
    assertEquals(NOON.plusSeconds(180), history.get(0).dueAt());
    assertEquals(HistoryEntry.Status.SKIPPED, history.get(1).status());
    assertEquals(Optional.of(NOON.plusSeconds(240)), engine.get("j").next());
  }

  @Test
  void aJobThatIsChangedWhileItWaitsPassesTheFlowThatItNamesNow() {
    flow("{}", Optional.of(PAUSE));
    JobJson once = JobJson.get(target.url("/once")).startTime(NOON);
    JobJson often = JobJson.get(target.url("/often")).startTime(NOON).every("minute");
    engine.put("once", inFlow(once));
    engine.put("often", inFlow(often));
    engine.stepTo(NOON);
    awaitWaiting(2);

    clock.advance(Duration.ofSeconds(10));
    engine.put("once", once.json());
    engine.put("often", often.json());
    engine.poll();

    awaitWaiting(0);
    target.awaitCalls(1);
    engine.awaitIdle();
    assertEquals(List.of("/once"), target.calls().stream().map(CallbackServer.Call::path).toList());
  }

  @Test
  void whatWaitsForAFlowThatMatchesItNoMoreGoesOnWithoutIt() {
    flow("{`match`:`127.0.0.1`}", Optional.of(PAUSE));
    for (int i = 0; i < 3; i++) {
      engine.put("j" + i, JobJson.get(target.url("/" + i)).startTime(NOON).json());
    }
    engine.put("named", inFlow(JobJson.get(target.url("/named")).startTime(NOON)));
    engine.stepTo(NOON);
    awaitWaiting(4);

    flow("{`match`:`other.example`}", Optional.of(PAUSE));
    clock.advance(Duration.ofSeconds(1));
    Await.until(
        "calls of what it matched",
        () -> {
          engine.poll();
          return target.calls().size() == 3;
        });

    awaitWaiting(1);
  }

  @Test
  void aJobThatIsDisabledOrDeletedWhileItWaitsIsNotCalled() {
    flow("{`parallelism`:1}");
    putAtNoon(1);
    engine.put("later", inFlow(JobJson.get(target.url("/later")).startTime(NOON.plusMillis(1))));
    engine.put(
        "off",
        inFlow(JobJson.get(target.url("/off")).startTime(NOON.plusMillis(2)).every("minute")));
    target.hold();
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);
    clock.set(NOON.plusMillis(10));
    engine.poll();
    awaitWaiting(2);

    engine.delete("later");
    engine.setState("off", JobState.DISABLED);
    target.release();
    awaitWaiting(0);
    engine.awaitIdle();

    assertEquals(List.of("/0"), target.calls().stream().map(CallbackServer.Call::path).toList());
  }

  @Test
  void retriesAndErrorActionsPassTheFlowToo() {
    flow("{`match`:`127.0.0.1`,`rate`:{`limit`:1,`per`:`PT60S`}}");
    engine.put(
        "j",
        JobJson.get(target.url("/call"))
            .startTime(NOON)
            .fixedRetry("PT1S", 1)
            .errorAction(JobJson.get(other.url("/error")))
            .json());
    target.answer(404);

    engine.stepTo(NOON);
    assertEquals(1, target.calls().size());
    clock.set(NOON.plusSeconds(2));
    engine.poll();
    awaitWaiting(1);
    clock.set(NOON.plusSeconds(60));
    target.awaitCalls(2);
    engine.awaitIdle();
    engine.poll();
    awaitWaiting(1);
    assertEquals(List.of(), other.calls());

    clock.set(NOON.plusSeconds(120));
    other.awaitCalls(1);
  }

  @Test
  void withoutFlowsThereIsNothingOfThemInRedis() {
    engine.put("j", job("2026-11-20T12:00:00Z").json());
    engine.stepTo(NOON);
    engine.lookAtFlows();

    assertEquals(1, target.calls().size());
    assertTrue(engine.redis(Command.KEYS, "*flow*").size() == 0, "keys of flows");
  }
}
