package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobState;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of successful answers, and of answers after which no retry follows. */
class GiveUpTest extends EngineFixture {
  private static final String TWO_RETRIES =
      "{`retryType`:`fixed`,`retryInterval`:`PT10S`,`retryCount`:2";

  private JobJson giveUpOn(String statuses) {
    return job("2026-11-20T12:01:00Z").retryPolicy(TWO_RETRIES + ",`giveUpOn`:" + statuses + "}");
  }

  private void run(JobJson job) {
    engine.put("j", job.json());
    engine.stepTo(at("12:01:00"));
  }

  private HistoryEntry newest() {
    return engine.history("j").get(0);
  }

  private boolean isRetried() {
    return engine.due().stream().anyMatch(due -> due.contains(" main=2 "));
  }

  @Test
  void aStatusInTheListEndsTheExecution() {
    target.answer(404);

    run(giveUpOn("[`404`,`41x`]".replace("`41x`", "`410`")));

    assertFalse(isRetried());
    assertEquals(JobState.FAULTED, engine.get("j").state());
    assertEquals(1, engine.get("j").counters().faulted());
    assertTrue(
        newest().message().endsWith(" Body: answer Not retried: 404 is in giveUpOn"),
        newest().message());
  }

  @Test
  void aClassEndsItTooAndTheErrorActionFollows() {
    target.answerAt("/call", 422);

    run(giveUpOn("[`4xx`]").errorAction(JobJson.post(target.url("/error"))));
    engine.step();

    assertEquals(1, target.calls("/call").size());
    assertEquals(1, target.calls("/error").size());
  }

  @Test
  void anotherStatusIsRetriedAndTheLastOneSaysNothingOfRetries() {
    target.answer(500);
    run(giveUpOn("[`4xx`]"));
    assertTrue(isRetried());

    engine.stepTo(at("12:01:15"));
    target.answer(404);
    engine.stepTo(at("12:01:30"));

    assertEquals(3, target.calls().size());
    assertFalse(newest().message().contains("Not retried"), newest().message());
  }

  @Test
  void anErrorActionWithoutAPolicyGoesByThatOfTheMainAction() {
    target.answer(404);

    run(giveUpOn("[404]").errorAction(JobJson.post(target.url("/error"))));
    engine.step();

    assertEquals(1, target.calls("/error").size());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void aTargetCanSayThatItWantsNoRetry() {
    target.answer(503, Map.of("carillon-retry", " No ", "Retry-After", "5"));

    run(job("2026-11-20T12:01:00Z").retryPolicy(TWO_RETRIES + "}"));

    assertFalse(isRetried());
    assertTrue(
        newest().message().endsWith(" Not retried: the target answered Carillon-Retry: no"),
        newest().message());
  }

  @Test
  void anyOtherValueOfTheHeaderMeansNothing() {
    target.answer(503, Map.of("Carillon-Retry", "later"));

    run(job("2026-11-20T12:01:00Z").retryPolicy(TWO_RETRIES + "}"));

    assertTrue(isRetried());
  }

  @Test
  void whatCountsAsSuccessIsTheActionsToSay() {
    target.answer(404);
    run(job("2026-11-20T12:01:00Z").action("successOn", new JsonArray().add("2xx").add("404")));

    assertEquals(Status.COMPLETED, newest().status());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(0, engine.get("j").counters().failures());
  }

  @Test
  void whatIsNotInTheListIsAFailure() {
    target.answer(200);
    run(job("2026-11-20T12:01:00Z").noRetry().action("successOn", new JsonArray().add("202")));

    assertEquals(Status.FAILED, newest().status());
    assertEquals(JobState.FAULTED, engine.get("j").state());
  }
}
