package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.HistoryEntry;
import carillon.job.JobState;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When attempts are repeated, stepped on the real engine and a real Redis. */
class EngineRetryTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static CallbackServer target;

  private final TestClock clock = new TestClock(NOON);
  private Engine engine;

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
    RedisServer.shared().flush();
    target.forget();
    target.answer(500);
    engine = new Engine(RedisServer.shared(), "node", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private static final String EXPONENTIAL =
      "\"retryType\":\"exponential\",\"retryInterval\":\"PT10S\",\"retryFactor\":2,\"retryJitter\":0,\"retryCount\":3";

  private static JobJson job(String retryPolicy) {
    return JobJson.post(target.url("/call")).retryPolicy("{" + retryPolicy + "}");
  }

  private void assertCallsAfter(long second, int calls) {
    engine.stepTo(NOON.plusSeconds(second).minusMillis(1));
    assertEquals(calls - 1, target.calls().size(), "just before second " + second);
    engine.stepTo(NOON.plusSeconds(second));
    assertEquals(calls, target.calls().size(), "at second " + second);
  }

  @Test
  void exponentialPausesGrow() {
    engine.put("j", job(EXPONENTIAL).json());

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
    engine.put("j", job(EXPONENTIAL + ",\"retryMaxDuration\":\"PT20S\"").json());

    engine.step();
    assertCallsAfter(10, 2);

    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(
        Set.of(), Set.copyOf(engine.due().stream().filter(d -> d.startsWith("run:")).toList()));
  }

  @Test
  void aTargetThatAsksForLaterIsNotCalledSooner() {
    target.answer(503, Map.of("Retry-After", "45"));
    engine.put("j", job(EXPONENTIAL).json());

    engine.step();
    assertCallsAfter(45, 2);
  }

  @Test
  void aRetryIsNotEarlyWhenTheNodeIsNotSureOfTheTime() {
    clock.doubt(Duration.ofSeconds(3));
    engine.put("j", job(EXPONENTIAL).json());

    engine.step();
    assertCallsAfter(13, 2);
  }

  @Test
  void theAttemptCountGoesOnInAnotherNodeThatFindsTheRetryInRedis() {
    engine.put("j", job(EXPONENTIAL).json());
    engine.step();
    engine.close();

    engine = new Engine(RedisServer.shared(), "another", clock);
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
        job(EXPONENTIAL)
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
}
