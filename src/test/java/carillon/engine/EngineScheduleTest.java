package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the instants of calls, their outcomes, and the history that is kept. */
class EngineScheduleTest extends EngineFixture {
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
    assertEquals("j", call.headers().get("Carillon-Job"));
    assertEquals("default", call.headers().get("Carillon-Collection"));
    assertEquals("2026-11-20T12:05:00Z", call.headers().get("Carillon-Scheduled-At"));
    assertEquals(
        call.headers().get("Carillon-Execution-Id"), call.headers().get("Idempotency-Key"));
    StoredJob job = engine.get("j");
    assertEquals(JobState.COMPLETED, job.state());
    assertEquals(new StoredJob.Counters(1, 0, 0, 0), job.counters());
    assertEquals(Optional.of(at("12:05:00")), job.last());
    assertEquals(Optional.empty(), job.next());
  }

  @Test
  void theHistoryHasTheAnswerOfTheTarget() {
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
                "Http Action - Response from host '127.0.0.1': 'OK' Response Headers: X-Answer:"
                    + " yes\r\n"),
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
    engine.poll();
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
        "2026-11-20T12:10:00Z", target.calls().get(0).headers().get("Carillon-Scheduled-At"));
    assertEquals(Optional.of(at("12:11:00")), engine.get("j").next());
    assertEquals(9, engine.get("j").counters().skipped());
    HistoryEntry skipped = engine.history("j").get(1);
    assertEquals(HistoryEntry.Status.SKIPPED, skipped.status());
    assertEquals(
        "Not performed: 9 occurrences from 2026-11-20T12:01:00Z were missed; the latest, of"
            + " 2026-11-20T12:10:00Z, runs late",
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
  void whatADisabledCollectionSkipsDoesNotUseUpTheCount() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\",\"count\":2}"));
    set(CollectionDefinition.State.DISABLED);
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    engine.stepTo(at("12:03:00"));
    assertEquals(JobState.ENABLED, engine.get("j").state());
    assertEquals(3, engine.get("j").counters().skipped());
    assertEquals(
        List.of(Optional.of(HistoryEntry.Reason.COLLECTION_DISABLED)),
        engine.history("j").stream().map(HistoryEntry::reason).distinct().toList());

    set(CollectionDefinition.State.ENABLED);
    engine.stepTo(at("12:04:00"));
    engine.stepTo(at("12:05:00"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(3, engine.get("j").counters().skipped());
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
  void anExecutionThatAClientAskedForLeavesTheScheduleAlone() {
    engine.put("j", every("2026-11-20T13:00:00Z", "{\"frequency\":\"minute\",\"count\":1}"));

    engine.requestExecution("j");
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
  void anOccurrenceAfterItsCollectionWasEnabledIsNotSkippedBecauseNoHeartbeatSawIt() {
    set(CollectionDefinition.State.DISABLED);
    engine.beat();
    set(CollectionDefinition.State.ENABLED);
    engine.put("often", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    engine.stepTo(at("12:01:00"));

    assertEquals(1, target.calls().size());
    assertEquals(0, engine.get("often").counters().skipped());
  }

  @Test
  void aOneTimeJobWaitsForADisabledCollectionAndAnOccurrenceOfARecurringOneIsSkipped() {
    set(CollectionDefinition.State.DISABLED);
    engine.beat();
    engine.put("once", once("2026-11-20T12:01:00Z"));
    engine.put("often", every("2026-11-20T12:01:00Z", "{\"frequency\":\"minute\"}"));

    engine.stepTo(at("12:01:00"));
    assertEquals(List.of(), target.calls());
    assertEquals(1, engine.get("often").counters().skipped());
    assertEquals(0, engine.get("once").counters().skipped());
    set(CollectionDefinition.State.ENABLED);
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
    String job = slot + "job:default/default/default/j";
    int all = bytes + engine.redis(Command.HGET, job, "latest").toString().length();
    assertTrue(all <= 1024, all + " bytes");
    assertTrue(all > 512, "no more is dropped than must be: " + all + " bytes");
    assertEquals(bytes, engine.redis(Command.HGET, job, "historyBytes").toInteger());
  }

  @Test
  void theHistoryIsBoundedByAge() {
    runTenTimes("history.age=4m");

    assertEquals(
        List.of(10, 9, 8, 7, 6),
        engine.history("j").stream().map(HistoryEntry::occurrence).toList());
  }
}
