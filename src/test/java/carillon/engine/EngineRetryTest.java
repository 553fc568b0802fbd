package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of retries, and of the steps after the last failed attempt. */
class EngineRetryTest extends EngineFixture {
  private static final String EXPONENTIAL =
      "\"retryType\":\"exponential\",\"retryInterval\":\"PT10S\",\"retryFactor\":2,\"retryJitter\":0,\"retryCount\":3";

  @BeforeEach
  void letTheTargetFail() {
    target.answer(500);
  }

  /** Returns a job at 12:01 that is retried 30 seconds after each failure. */
  private JobJson retried(int count) {
    return job("2026-11-20T12:01:00Z").fixedRetry("PT30S", count);
  }

  private JobJson withPolicy(String retryPolicy) {
    return JobJson.post(target.url("/call")).retryPolicy("{" + retryPolicy + "}");
  }

  private void assertCallsAfter(long second, int calls) {
    engine.stepTo(NOON.plusSeconds(second).minusMillis(1));
    assertEquals(calls - 1, target.calls().size(), "just before second " + second);
    engine.stepTo(NOON.plusSeconds(second));
    assertEquals(calls, target.calls().size(), "at second " + second);
  }

  @Test
  void aFailedAttemptIsRepeatedAfterTheIntervalWithTheSameExecutionId() {
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
    assertEquals("1", target.calls().get(0).headers().get("Carillon-Attempt"));
    assertEquals("2", target.calls().get(1).headers().get("Carillon-Attempt"));
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 1, 0, 0), engine.get("j").counters());
    assertEquals(1, engine.history("j").get(0).retry());
  }

  @Test
  void aOneTimeJobWhoseAttemptsAllFailIsFaulted() {
    engine.put("j", retried(1).json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 2, 1, 0), engine.get("j").counters());
    assertTrue(engine.history("j").get(0).message().contains("'InternalServerError'"));
  }

  @Test
  void aJobWithRetryTypeNoneIsFaultedAfterOneAttempt() {
    target.answer(404);
    engine.put("j", job("2026-11-20T12:01:00Z").noRetry().json());

    engine.stepTo(at("12:01:00"));

    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(1, target.calls().size());
  }

  @Test
  void aJobWithoutARetryPolicyIsFaultedAfterFourRetries() {
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
    engine.put("j", retried(0).every("hour").json());

    engine.stepTo(at("12:01:00"));

    assertEquals(JobState.ENABLED, engine.get("j").state());
    assertEquals(new StoredJob.Counters(1, 1, 1, 0), engine.get("j").counters());
    assertEquals(Optional.of(at("13:01:00")), engine.get("j").next());
  }

  @Test
  void retriesThatOutlastTheIntervalDoNotHoldUpTheNextOccurrence() {
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
    target.answerAt("/error", 200);
    JobJson error = JobJson.http("PUT", target.url("/error"));
    engine.put("j", retried(1).errorAction(error).json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:01:30"));
    engine.step();

    assertEquals(1, target.calls("/error").size());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    HistoryEntry last = engine.history("j").get(0);
    assertEquals(carillon.job.attempt.Attempt.Phase.ERROR, last.phase());
    assertEquals(HistoryEntry.Status.COMPLETED, last.status());
    assertEquals(new StoredJob.Counters(1, 2, 1, 0), engine.get("j").counters());
  }

  @Test
  void aRetryOfAJobThatWasReplacedIsRecordedAsSkipped() {
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
    engine.put("j", retried(3).json());
    engine.stepTo(at("12:01:00"));

    engine.delete("j");
    engine.stepTo(at("12:01:30"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(), engine.due());
    String key = Engine.name("j").key();
    String hash = Engine.KEYS.job(Engine.KEYS.partition(key), key);
    assertEquals(List.of(hash), redis().keys("carillon:*default/j"));
    assertEquals("[deleted]", engine.redis(Command.HKEYS, hash).toString());
  }

  /** Otherwise a target of both actions that drops repeats would drop the error action. */
  @Test
  void theErrorActionHasAnIdempotencyKeyOfItsOwnAndItsRetriesShareIt() {
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

  @Test
  void exponentialPausesGrow() {
    engine.put("j", withPolicy(EXPONENTIAL).json());

    engine.step();
    assertCallsAfter(10, 2);
    assertCallsAfter(30, 3);
    assertCallsAfter(70, 4);

    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(
        List.of(3, 2, 1, 0), engine.history("j").stream().map(HistoryEntry::retry).toList());
  }

  @Test
  void noRetryBeginsAfterTheTotalBound() {
    engine.put("j", withPolicy(EXPONENTIAL + ",\"retryMaxDuration\":\"PT20S\"").json());

    engine.step();
    assertCallsAfter(10, 2);

    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(
        Set.of(), Set.copyOf(engine.due().stream().filter(d -> d.startsWith("run:")).toList()));
  }

  @Test
  void aTargetThatAsksForLaterIsNotCalledSooner() {
    target.answer(503, Map.of("Retry-After", "45"));
    engine.put("j", withPolicy(EXPONENTIAL).json());

    engine.step();
    assertCallsAfter(45, 2);
  }

  @Test
  void aRetryIsNotEarlyWhenTheNodeIsNotSureOfTheTime() {
    clock.doubt(Duration.ofSeconds(3));
    engine.put("j", withPolicy(EXPONENTIAL).json());

    engine.step();
    assertCallsAfter(13, 2);
  }

  @Test
  void theAttemptCountGoesOnInAnotherNodeThatFindsTheRetryInRedis() {
    engine.put("j", withPolicy(EXPONENTIAL).json());
    engine.step();
    engine.close();

    engine = new Engine(redis().setup(), "another", clock);
    assertCallsAfter(10, 2);

    List<HistoryEntry> history = engine.history("j");
    assertEquals(List.of(1, 0), history.stream().map(HistoryEntry::retry).toList());
    assertEquals(history.get(0).execution(), history.get(1).execution());
  }

  @Test
  void everyAttemptIsASpanOfItsOwnInTheTraceOfTheSubmission() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    engine.put(
        "j",
        withPolicy(EXPONENTIAL)
            .with("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
            .with("tracestate", "a=b")
            .json());

    engine.step();
    assertCallsAfter(10, 2);

    Set<String> parents =
        target.calls().stream()
            .map(call -> call.headers().get("traceparent"))
            .collect(Collectors.toSet());
    assertEquals(2, parents.size());
    assertTrue(
        parents.stream().allMatch(parent -> parent.matches("00-" + trace + "-[0-9a-f]{16}-01")),
        parents::toString);
    assertTrue(parents.stream().noneMatch(parent -> parent.contains("00f067aa0ba902b7")));
    assertEquals("a=b", target.calls().get(0).headers().get("tracestate"));
  }

  @Test
  void aFaultedJobThatIsEnabledRunsAtOnceAndItsCountersGoOn() {
    engine.put("j", retried(0).json());
    engine.stepTo(at("12:01:00"));
    assertEquals(JobState.FAULTED, engine.get("j").state());

    target.answer(200);
    engine.setState("j", JobState.ENABLED);
    engine.stepTo(at("12:01:01"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(2, engine.get("j").counters().executions());
    assertEquals(2, engine.history("j").size());
  }
}
