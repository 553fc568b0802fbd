package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.CollectionDefinition;
import carillon.job.HistoryEntry;
import carillon.job.JobException;
import carillon.job.JobState;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore.ClaimResult;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The life of jobs and executions on the real engine, the real Redis and a real target, with time
 * as an input.
 */
class EngineTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static CallbackServer target;

  private final TestClock clock = new TestClock(NOON);
  private Engine engine;

  /** The Redis to run on: the same tests pass on every topology. */
  TestRedis redis() {
    return RedisServer.shared();
  }

  @BeforeAll
  static void startTarget() {
    target = new CallbackServer();
  }

  @AfterAll
  static void stopTarget() {
    target.close();
  }

  @BeforeEach
  void start() {
    redis().flush();
    target.forget();
    target.answer(200);
    engine = new Engine(redis().setup(), "node", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static JobJson job() {
    return JobJson.post(target.url("/call")).body("hello");
  }

  private static JobJson job(String start) {
    return job().startTime(start);
  }

  private static String once(String start) {
    return job(start).json();
  }

  private static String every(String start, String recurrence) {
    return job(start).recurrence(recurrence).json();
  }

  /** At 12:01, and again 30 seconds after each failure. */
  private static JobJson retried(int count) {
    return job("2026-11-20T12:01:00Z").fixedRetry("PT30S", count);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }

  @Test
  void aOneTimeJobIsCalledAtItsInstantAndNotBefore() {
    engine.put("j", once("2026-11-20T12:05:00Z"));

    engine.stepTo(at("12:04:59.999"));
    assertEquals(List.of(), target.calls());
    engine.stepTo(at("12:05:00"));

    assertEquals(1, target.calls().size());
    CallbackServer.Call call = target.calls().get(0);
    assertEquals("POST", call.method());
    assertEquals("hello", call.body());
    assertEquals("j", call.headers().get("x-ms-scheduler-jobid"));
    assertEquals("default", call.headers().get("x-ms-scheduler-jobcollectionid"));
    assertEquals(
        "2026-11-20T12:05:00Z", call.headers().get("x-ms-scheduler-expected-execution-time"));
    assertEquals(call.headers().get("x-ms-execution-tag"), call.headers().get("Idempotency-Key"));
    StoredJob job = engine.get("j");
    assertEquals(JobState.COMPLETED, job.state());
    assertEquals(new StoredJob.Counters(1, 0, 0, 0), job.counters());
    assertEquals(Optional.of(at("12:05:00")), job.last());
    assertEquals(Optional.empty(), job.next());
  }

  @Test
  void theHistoryTellsOfTheCall() {
    engine.put("j", once("2026-11-20T12:05:00Z"));

    engine.stepTo(at("12:05:00"));

    HistoryEntry entry = engine.history("j").get(0);
    assertEquals(HistoryEntry.Status.COMPLETED, entry.status());
    assertEquals(1, entry.occurrence());
    assertEquals(at("12:05:00"), entry.dueAt());
    assertTrue(
        entry
            .message()
            .startsWith(
                "Http Action - Response from host '127.0.0.1': 'OK' Response Headers: X-Answer: yes\r\n"),
        entry.message());
    assertTrue(entry.message().endsWith(" Body: answer"), entry.message());
    assertEquals(target.calls().get(0).headers().get("Idempotency-Key"), entry.execution());
  }

  @Test
  void aFractionOfAMillisecondIsNeverCutToBeEarly() {
    engine.put("j", once("2026-11-20T12:05:00.0005Z"));

    engine.stepTo(at("12:05:00"));
    assertEquals(List.of(), target.calls());
    engine.stepTo(at("12:05:00.001"));

    assertEquals(1, target.calls().size());
  }

  @Test
  void aRecurringJobIsCalledAtEveryOccurrenceWithAnotherExecutionId() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:59"));
    engine.stepTo(at("12:02:00.700"));

    assertEquals(2, target.calls().size());
    assertNotEquals(
        target.calls().get(0).headers().get("Idempotency-Key"),
        target.calls().get(1).headers().get("Idempotency-Key"));
    StoredJob job = engine.get("j");
    assertEquals(Optional.of(at("12:03:00")), job.next());
    assertEquals(3, job.occurrence());
    assertEquals(JobState.ENABLED, job.state());
  }

  @Test
  void theNextOccurrenceWaitsBeforeTheCallIsAnswered() {
    target.keepSilent();
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    clock.set(at("12:01:00"));
    engine.look();
    target.awaitCalls(1);

    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
    assertEquals(List.of("job:default/default/default/j"), engine.due());
    assertEquals(1, engine.claims());
  }

  @Test
  void missedOccurrencesAreRecordedAndOnlyTheLatestRuns() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    engine.stepTo(at("12:10:30"));

    assertEquals(1, target.calls().size());
    assertEquals(
        "2026-11-20T12:10:00Z",
        target.calls().get(0).headers().get("x-ms-scheduler-expected-execution-time"));
    assertEquals(Optional.of(at("12:11:00")), engine.get("j").next());
    assertEquals(9, engine.get("j").counters().skipped());
    HistoryEntry skipped = engine.history("j").get(1);
    assertEquals(HistoryEntry.Status.SKIPPED, skipped.status());
    assertEquals(
        "Not performed: 9 occurrences from 2026-11-20T12:01:00Z were missed; the latest, of 2026-11-20T12:10:00Z, runs late",
        skipped.message());
  }

  @Test
  void skippedOccurrencesDoNotUseUpTheCount() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\",\"count\":2}"));

    engine.stepTo(at("12:10:30"));
    engine.stepTo(at("12:11:00"));
    engine.stepTo(at("12:12:00"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aJobIsCompletedAfterItsLastOccurrence() {
    engine.put(
        "j",
        every(
            "2026-11-20T12:01:00Z",
            "{\"frequency\":\"minute\",\"endTime\":\"2026-11-20T12:02:00Z\"}"));

    engine.stepTo(at("12:01:00"));
    assertEquals(JobState.ENABLED, engine.get("j").state());
    engine.stepTo(at("12:02:00"));

    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(2, engine.get("j").counters().executions());
  }

  @Test
  void aJobWithoutStartTimeCountsItsIntervalFromTheActualStart() {
    engine.put("j", job().every("minute").json());

    engine.stepTo(at("12:00:00"));
    engine.stepTo(at("12:01:00.400"));

    assertEquals(2, target.calls().size());
    assertEquals(Optional.of(at("12:02:00.400")), engine.get("j").next());
  }

  @Test
  void aFailedAttemptIsRepeatedAfterTheIntervalWithTheSameExecutionId() {
    target.answer(500);
    engine.put("j", retried(2).json());

    engine.stepTo(at("12:01:00"));
    assertEquals(1, engine.get("j").counters().failures());
    engine.stepTo(at("12:01:29.999"));
    assertEquals(1, target.calls().size());
    target.answer(200);
    engine.stepTo(at("12:01:30"));

    assertEquals(2, target.calls().size());
    assertEquals(
        target.calls().get(0).headers().get("Idempotency-Key"),
        target.calls().get(1).headers().get("Idempotency-Key"));
    assertNotEquals(
        target.calls().get(0).headers().get("x-ms-client-request-id"),
        target.calls().get(1).headers().get("x-ms-client-request-id"));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 1, 0, 0), engine.get("j").counters());
    assertEquals(1, engine.history("j").get(0).retry());
  }

  @Test
  void aOneTimeJobWhoseAttemptsAllFailIsFaulted() {
    target.answer(500);
    engine.put("j", retried(1).json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 2, 1, 0), engine.get("j").counters());
    assertTrue(engine.history("j").get(0).message().contains("'InternalServerError'"));
  }

  @Test
  void retryTypeNoneMeansOneAttempt() {
    target.answer(404);
    engine.put("j", job("2026-11-20T12:01:00Z").noRetry().json());

    engine.stepTo(at("12:01:00"));

    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(1, target.calls().size());
  }

  @Test
  void withoutAPolicyTheDefaultHoldsWhichIsFourRetries() {
    target.answer(503);
    engine.put("j", once("2026-11-20T12:01:00Z"));

    for (int retry = 0; retry <= 5; retry++) {
      engine.stepTo(at("12:01:00").plusSeconds(30L * retry));
    }

    assertEquals(5, target.calls().size());
    assertEquals(JobState.FAULTED, engine.get("j").state());
  }

  @Test
  void aRecurringJobStaysEnabledWhenAnExecutionIsUsedUp() {
    target.answer(500);
    engine.put("j", retried(0).every("hour").json());

    engine.stepTo(at("12:01:00"));

    assertEquals(JobState.ENABLED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 1, 1, 0), engine.get("j").counters());
    assertEquals(Optional.of(at("13:01:00")), engine.get("j").next());
  }

  @Test
  void retriesThatOutlastTheIntervalDoNotHoldUpTheNextOccurrence() {
    target.answer(500);
    engine.put(
        "j",
        retried(1).recurrence("{\"frequency\":\"second\",\"interval\":20,\"count\":2}").json());

    engine.stepTo(at("12:01:00"));
    target.answer(200);
    engine.stepTo(at("12:01:20"));
    assertEquals(JobState.ENABLED, engine.get("j").state(), "an execution is still open");
    engine.stepTo(at("12:01:30"));

    assertEquals(3, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void theErrorActionRunsOnceAfterAllRetriesAndDoesNotSaveTheExecution() {
    target.answer(500);
    target.answerAt("/error", 200);
    JobJson error = JobJson.http("PUT", target.url("/error"));
    engine.put("j", retried(1).errorAction(error).json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));
    engine.step();

    assertEquals(1, target.calls("/error").size());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    HistoryEntry last = engine.history("j").get(0);
    assertEquals(carillon.job.Attempt.Phase.ERROR, last.phase());
    assertEquals(HistoryEntry.Status.COMPLETED, last.status());
    assertEquals(new StoredJob.Counters(1, 2, 1, 0), engine.get("j").counters());
  }

  @Test
  void aRetryOfAJobThatWasReplacedIsRecordedAsSkipped() {
    target.answer(500);
    engine.put("j", retried(3).json());
    engine.stepTo(at("12:01:00"));

    engine.put("j", once("2026-11-20T13:00:00Z"));
    engine.stepTo(at("12:01:30"));

    assertEquals(1, target.calls().size());
    assertEquals(HistoryEntry.Status.SKIPPED, engine.history("j").get(0).status());
    assertEquals(StoredJob.Counters.ZERO, engine.get("j").counters());
    target.answer(200);
    engine.stepTo(at("13:00:00"));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aRetryOfADeletedJobIsDropped() {
    target.answer(500);
    engine.put("j", retried(3).json());
    engine.stepTo(at("12:01:00"));

    engine.stores(
        stores ->
            stores
                .jobs()
                .delete(Engine.name("j"), 0, Precondition.NONE, Engine.change(clock.instant())));
    engine.stepTo(at("12:01:30"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(), engine.due());
    assertEquals(0, redis().keys("carillon:*default/j").size());
  }

  @Test
  void aDisabledJobIsNotCalledAndOneEnabledAgainContinuesFromNow() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));
    engine.setState("j", JobState.DISABLED);

    engine.stepTo(at("12:05:30"));
    assertEquals(List.of(), target.calls());
    engine.setState("j", JobState.ENABLED);
    engine.stepTo(at("12:06:00"));

    assertEquals(1, target.calls().size());
    assertEquals(0, engine.get("j").counters().skipped());
  }

  @Test
  void aRunThatAClientAskedForLeavesTheScheduleAlone() {
    engine.put("j", every("2026-11-20T13:00:00Z", "{\"frequency\":\"minute\",\"count\":1}"));

    engine.stores(s -> s.jobs().run(Engine.name("j"), Engine.change(clock.instant())));
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(1, engine.get("j").counters().executions());
    assertEquals(Optional.of(at("13:00:00")), engine.get("j").next());
    engine.stepTo(at("13:00:00"));
    assertEquals(2, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aFinishedJobIsPurgedAfterSixtyDays() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    engine.stepTo(at("12:01:00"));

    engine.stepTo(at("12:01:00").plus(Duration.ofDays(60)).minusMillis(1));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    engine.stepTo(at("12:01:00").plus(Duration.ofDays(60)));
    engine.step();

    assertThrows(JobException.class, () -> engine.get("j"));
    assertEquals(0, redis().keys("carillon:*default/j").size());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void aFinishedJobThatIsPutAgainIsNotPurged() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    engine.stepTo(at("12:01:00"));

    engine.put("j", once("2027-11-20T12:01:00Z"));
    assertEquals(1, engine.history("j").size(), "history stays");
    engine.stepTo(at("12:01:00").plus(Duration.ofDays(61)));

    assertEquals(JobState.ENABLED, engine.get("j").state());
    assertEquals(List.of(), engine.history("j"), "until it is too old");
  }

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

  /** As a node that dies right after its claim, at an instant that the others have not come to. */
  private void claimAll(Engine node, Instant now) {
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      int p = partition;
      node.stores(s -> s.claims().claim(p, now.toEpochMilli(), now, 10));
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
        engine.history("j").get(0).message().contains("6 nodes ended"),
        engine.history("j").get(0).message());
  }

  private io.vertx.core.Future<Integer> recoverAll(Stores stores) {
    io.vertx.core.Future<Integer> last = io.vertx.core.Future.succeededFuture(0);
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      last = stores.claims().recover(partition, "node", clock.instant());
    }
    return last;
  }

  @Test
  void aNodeWhoseLeaseRanOutSendsNothingAndClaimsNothing() {
    engine.put("j", once("2026-11-20T12:01:00Z"));

    engine.pass(Duration.ofSeconds(10));
    clock.set(at("12:01:00"));
    engine.look();
    engine.awaitIdle();
    assertEquals(List.of(), target.calls());
    engine.beat();
    engine.step();

    assertEquals(1, target.calls().size());
  }

  @Test
  void anOccurrenceAfterTheOpeningOfTheGateIsNotSkippedBecauseNoHeartbeatSawIt() {
    gate(CollectionDefinition.State.DISABLED);
    engine.beat();
    gate(CollectionDefinition.State.ENABLED);
    engine.put("often", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    clock.set(at("12:01:00"));
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(0, engine.get("often").counters().skipped());
  }

  private void gate(CollectionDefinition.State state) {
    engine.stores(
        s ->
            s.collections()
                .put(
                    Engine.COLLECTION,
                    CollectionDefinition.PLAIN.in(state),
                    Precondition.NONE,
                    clock.instant()));
  }

  @Test
  void aOneTimeJobWaitsForTheGateAndAnOccurrenceOfARecurringOneIsSkipped() {
    gate(CollectionDefinition.State.DISABLED);
    engine.beat();
    engine.put("once", once("2026-11-20T12:01:00Z"));
    engine.put("often", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    engine.stepTo(at("12:01:00"));
    assertEquals(List.of(), target.calls());
    assertEquals(1, engine.get("often").counters().skipped());
    assertEquals(0, engine.get("once").counters().skipped());
    gate(CollectionDefinition.State.ENABLED);
    engine.beat();
    clock.set(at("12:01:30"));
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(JobState.COMPLETED, engine.get("once").state());
    assertEquals(Optional.of(at("12:02:00")), engine.get("often").next());
  }

  @Test
  void aDamagedDefinitionFaultsItsJobAndNoOther() {
    engine.put("bad", once("2026-11-20T12:01:00Z"));
    engine.put("good", once("2026-11-20T12:01:00Z"));
    int partition = Engine.KEYS.partition("default/default/default/bad");
    engine.redis(
        Command.HSET,
        "carillon:{" + partition + "}:job:default/default/default/bad",
        "definition",
        "{\"action\":");

    engine.stepTo(at("12:01:00"));

    assertEquals(1, target.calls().size());
    assertEquals(
        "faulted",
        engine
            .redis(
                Command.HGET,
                "carillon:{" + partition + "}:job:default/default/default/bad",
                "state")
            .toString());
  }

  @Test
  void aHerdAtOneInstantIsCalledOnceEach() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3000; i++) {
      engine.put("j" + i, once("2026-11-20T12:01:00Z"));
      ids.add("j" + i);
    }

    engine.stepTo(at("12:01:00"));
    // What the target has no place for comes back a little later.
    while (engine.due().stream().anyMatch(due -> due.startsWith("run:"))) {
      engine.stepTo(clock.instant().plusMillis(100));
    }

    assertEquals(3000, target.calls().size());
    target.calls().forEach(call -> ids.remove(call.headers().get("x-ms-scheduler-jobid")));
    assertEquals(Set.of(), ids);
  }

  @Test
  void theTimerWakesByItselfAlsoAfterALongIdleTime() {
    engine.put("j", once("2026-11-20T13:00:00Z"));

    clock.set(at("13:00:00"));

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
    engine.look();

    target.awaitCalls(20);
    engine.awaitIdle();
  }

  private static Settings roomForOne() {
    return EngineSettings.with("dispatch.maxInFlight=1", "dispatch.maxPerDestination=1");
  }

  private void runTenTimes(String bound) {
    engine.close();
    engine = new Engine(redis().setup(), "node", clock, EngineSettings.with(bound));
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));
    for (int minute = 1; minute <= 10; minute++) {
      engine.stepTo(NOON.plus(Duration.ofMinutes(minute)));
    }
  }

  @Test
  void theHistoryIsBoundedByTheNumberOfEntries() {
    runTenTimes("history.entries=3");

    assertEquals(
        List.of(10, 9, 8), engine.history("j").stream().map(HistoryEntry::occurrence).toList());
  }

  @Test
  void theHistoryIsBoundedByItsBytes() {
    runTenTimes("history.bytes=1024");

    int partition = Engine.KEYS.partition("default/default/default/j");
    String slot = "carillon:{" + partition + "}:";
    int bytes =
        engine.redis(Command.LRANGE, slot + "history:default/default/default/j", "0", "-1").stream()
            .mapToInt(entry -> entry.toString().length())
            .sum();
    assertTrue(bytes <= 1024, bytes + " bytes");
    assertTrue(bytes > 512, "no more is dropped than must be: " + bytes + " bytes");
    assertEquals(
        bytes,
        engine
            .redis(Command.HGET, slot + "job:default/default/default/j", "historyBytes")
            .toInteger());
  }

  @Test
  void theHistoryIsBoundedByAge() {
    runTenTimes("history.age=4m");

    assertEquals(
        List.of(10, 9, 8, 7, 6),
        engine.history("j").stream().map(HistoryEntry::occurrence).toList());
  }

  @Test
  void aSecondClaimOfTheSameInstantFindsNothing() {
    engine.put("j", once("2026-11-20T12:01:00Z"));
    int partition = Engine.KEYS.partition("default/default/default/j");
    // Not the clock's instant, or the engine's own timer might come first.
    Instant due = at("12:01:00");

    ClaimResult first =
        engine.stores(s -> s.claims().claim(partition, due.toEpochMilli(), due, 256));
    ClaimResult second =
        engine.stores(s -> s.claims().claim(partition, due.toEpochMilli(), due, 256));

    assertEquals(1, first.attempts().size());
    assertEquals(List.of(), second.attempts());
  }

  /** A target of both actions that drops repeats would drop the error action otherwise. */
  @Test
  void theErrorActionHasAnIdempotencyKeyOfItsOwnAndItsRetriesShareIt() {
    target.answer(500);
    JobJson error = JobJson.http("GET", target.url("/call"));
    engine.put("j", retried(1).errorAction(error).json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));
    engine.step();
    engine.stepTo(at("12:02:00"));

    List<String> keys =
        target.calls().stream().map(call -> call.headers().get("Idempotency-Key")).toList();
    assertEquals(4, keys.size());
    assertEquals(keys.get(0), keys.get(1));
    assertEquals(keys.get(0) + "-error", keys.get(2));
    assertEquals(keys.get(2), keys.get(3));
  }
}
