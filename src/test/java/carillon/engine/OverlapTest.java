package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.OccurrencePolicy.Overlap;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.store.attempt.AttemptStore.Scheduled;
import carillon.store.attempt.NextOccurrence;
import carillon.store.attempt.NextOccurrence.Fate;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests of executions of a job that must not overlap. Occurrences are due each minute from 12:01
 * on. An execution lasts as long as the target holds its call, or as its retry waits.
 */
class OverlapTest extends EngineFixture {
  /** Returns a job of each minute, with one retry after 100 s. */
  private JobJson slow(String overlap) {
    return job("2026-11-20T12:01:00Z")
        .fixedRetry("PT100S", 1)
        .every("minute")
        .with("overlap", overlap);
  }

  /** Returns a job of each minute, without a retry. */
  private JobJson plain(String overlap) {
    return job("2026-11-20T12:01:00Z").noRetry().every("minute").with("overlap", overlap);
  }

  private List<String> told() {
    List<HistoryEntry> history = engine.history("j");
    List<String> lines =
        history.stream()
            .map(
                e ->
                    e.dueAt().toString().substring(11, 16)
                        + " "
                        + e.status().word()
                        + e.reason().map(reason -> " " + reason.word()).orElse("")
                        + (e.retry() > 0 ? " again" : ""))
            .toList();
    List<String> oldestFirst = new ArrayList<>(lines);
    Collections.reverse(oldestFirst);
    return oldestFirst;
  }

  private long open() {
    return Optional.ofNullable(engine.redis(Command.HGET, key("job:"), "openExecutions"))
        .map(count -> count.toLong())
        .orElse(0L);
  }

  private long kept() {
    return engine
        .redis(Command.EXISTS, key("executions:"), Engine.slot("j") + "list:execution")
        .toLong();
  }

  private static String key(String kind) {
    return Engine.slot("j") + kind + Engine.name("j").key();
  }

  @Test
  void withSkipAnOccurrenceThatWouldOverlapIsNotPerformed() {
    target.answer(500);
    engine.put("j", slow("skip").json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(200);
    engine.stepTo(at("12:02:40"));
    engine.stepTo(at("12:03:00"));

    assertEquals(
        List.of(
            "12:01 failed", "12:02 skipped overlap", "12:01 completed again", "12:03 completed"),
        told());
    assertEquals(1, engine.get("j").counters().skipped());
    assertEquals(3, engine.history("j").get(0).occurrence() + 1);
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void withBufferOneTheFirstWaitsForTheEndOfTheOther() {
    target.answer(500);
    engine.put("j", slow("bufferOne").json());

    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    engine.stepTo(at("12:02:30"));
    assertEquals(List.of("12:01 failed"), told());
    target.answer(200);
    engine.stepTo(at("12:02:40"));
    engine.step();
    engine.stepTo(at("12:03:00"));

    assertEquals(
        List.of("12:01 failed", "12:01 completed again", "12:02 completed", "12:03 completed"),
        told());
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void withBufferAllThoseThatFindNoRoomAreNotPerformed() {
    target.answer(500);
    engine.put("j", slow("bufferAll").fixedRetry("PT5M", 1).with("bufferMax", 2).json());

    for (int minute = 1; minute <= 5; minute++) {
      engine.stepTo(at("12:0" + minute + ":00"));
    }
    target.answer(200);
    engine.stepTo(at("12:06:00"));
    for (int step = 0; step < 4; step++) {
      engine.step();
    }

    assertEquals(
        List.of(
            "12:01 failed",
            "12:04 skipped overlap",
            "12:05 skipped overlap",
            "12:01 completed again",
            "12:02 completed",
            "12:03 completed"),
        told().stream().filter(line -> !line.startsWith("12:06")).toList());
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void whatComesBackAfterACrashIsPerformedAndWhatWasNotLetThroughIsNot() {
    engine.put("j", plain("skip").json());
    engine.freeze();
    int partition = Engine.KEYS.partition(Engine.name("j").key());
    Claim first = claim(at("12:01:00"));
    assertEquals(Scheduled.SCHEDULED, schedule(first, at("12:02:00")));
    assertEquals(Scheduled.STALE, schedule(first, at("12:02:00")));
    Claim second = claim(at("12:02:00"));
    assertEquals(Scheduled.OVERLAP, schedule(second, at("12:03:00")));
    assertEquals(Scheduled.STALE_OVERLAP, schedule(second, at("12:03:00")));

    engine.stores(s -> s.attempt().claims().recover(partition, "node", at("12:02:00")));
    engine.beat();
    engine.stepTo(at("12:02:10"));

    assertEquals(1, target.calls().size());
    assertEquals(
        List.of("12:01 completed", "12:02 skipped overlap"), told().stream().sorted().toList());
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  private Claim claim(Instant now) {
    int partition = Engine.KEYS.partition(Engine.name("j").key());
    return engine
        .stores(s -> s.attempt().claims().claim(partition, now.toEpochMilli(), now, 10))
        .attempts()
        .get(0)
        .claim();
  }

  /** Returns the next occurrence after one that is performed. */
  static NextOccurrence following(Claim claim, Instant next) {
    return new NextOccurrence(
        claim.attempt(),
        Optional.of(next),
        Optional.of(next),
        Optional.empty(),
        Fate.PERFORMED,
        0,
        Optional.empty());
  }

  private Scheduled schedule(Claim claim, Instant next) {
    return engine.stores(
        s ->
            s.attempt()
                .attempts()
                .scheduleNext(
                    claim, following(claim, next), Optional.of(new Overlap(Overlap.Rule.SKIP))));
  }

  @Test
  void aChangeLetsWhatWaitedEndAndDoesNotWaitForTheRetryOfWhatWas() {
    target.answer(500);
    engine.put("j", slow("bufferOne").fixedRetry("PT1H", 1).json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(200);
    clock.set(at("12:02:30"));
    engine.put("j", slow("bufferOne").fixedRetry("PT2H", 1).json());

    engine.stepTo(at("12:03:00"));
    engine.step();
    engine.stepTo(at("12:04:00"));
    engine.stepTo(at("13:01:00"));

    List<String> told = told();
    assertEquals("12:01 failed", told.get(0));
    assertEquals(
        "12:02 skipped changed",
        told.stream().filter(l -> l.startsWith("12:02")).findFirst().orElseThrow());
    assertEquals(
        "12:03 completed",
        told.stream().filter(l -> l.startsWith("12:03")).findFirst().orElseThrow());
    assertEquals(
        "12:04 completed",
        told.stream().filter(l -> l.startsWith("12:04")).findFirst().orElseThrow());
    assertTrue(told.contains("12:01 skipped changed again"));
    assertEquals(0, kept());
  }

  @Test
  void whileACallIsInFlightAChangedJobDoesNotBeginAnother() {
    target.hold();
    engine.put("j", plain("skip").json());
    clock.set(at("12:01:00"));
    engine.poll();
    target.awaitCalls(1);
    clock.set(at("12:01:30"));
    engine.put("j", plain("skip").body("other").json());

    clock.set(at("12:02:00"));
    engine.poll();
    Await.until("skipped", () -> told().contains("12:02 skipped overlap"));
    target.release();
    engine.awaitIdle();
    engine.stepTo(at("12:03:00"));

    assertEquals(2, target.calls().size());
    assertEquals(1, target.mostAtOnce());
    assertEquals(0, kept());
  }

  @Test
  void aJobThatIsDisabledOrDeletedLeavesNothingBehind() {
    target.answer(500);
    engine.put("j", slow("bufferAll").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    engine.setState("j", JobState.DISABLED);
    target.answer(200);

    engine.stepTo(at("12:02:40"));
    engine.step();

    assertEquals(
        List.of("12:01 failed", "12:01 skipped changed again", "12:02 skipped changed"), told());
    assertEquals(0, kept());
  }

  @Test
  void whatADisabledCollectionSkipsLetsTheNextGo() {
    set(CollectionDefinition.State.ENABLED);
    target.answer(500);
    engine.put("j", slow("bufferAll").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    set(CollectionDefinition.State.DISABLED);
    engine.stepTo(at("12:02:40"));
    engine.stepTo(at("12:03:00"));
    target.answer(200);
    set(CollectionDefinition.State.ENABLED);
    engine.beat();
    for (int step = 0; step < 4; step++) {
      engine.step();
    }

    assertTrue(told().contains("12:01 completed again"));
    assertTrue(told().contains("12:02 completed"));
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void whatWaitsTooLongExpires() {
    target.answer(500);
    engine.put("j", slow("bufferOne").with("startWithin", "PT30S").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(200);

    engine.stepTo(at("12:02:40"));
    engine.step();

    assertEquals(List.of("12:01 failed", "12:01 completed again", "12:02 skipped expired"), told());
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void whatIsSkippedDoesNotUseUpTheCount() {
    target.answer(500);
    engine.put(
        "j",
        job("2026-11-20T12:01:00Z")
            .fixedRetry("PT100S", 1)
            .recurrence("{\"frequency\":\"minute\",\"count\":2}")
            .with("overlap", "skip")
            .json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(200);
    engine.stepTo(at("12:02:40"));
    engine.stepTo(at("12:03:00"));

    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(2, engine.get("j").counters().executions());
    assertEquals(0, kept());
  }

  @Test
  void theJobEndsWithWhatWaitedForTheLastButOne() {
    target.answer(500);
    engine.put(
        "j",
        job("2026-11-20T12:01:00Z")
            .fixedRetry("PT100S", 1)
            .recurrence("{\"frequency\":\"minute\",\"count\":2}")
            .with("overlap", "bufferOne")
            .json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    target.answer(200);
    engine.stepTo(at("12:02:40"));
    engine.step();

    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(0, kept());
  }

  @Test
  void aRunOutsideTheScheduleIsPerformedAndKeepsOthersWaiting() {
    target.hold();
    engine.put("j", plain("skip").json());
    engine.requestExecution("j");
    engine.poll();
    target.awaitCalls(1);
    clock.set(at("12:01:00"));
    engine.poll();
    Await.until("skipped", () -> told().contains("12:01 skipped overlap"));
    engine.requestExecution("j");
    engine.poll();
    target.awaitCalls(2);
    target.release();
    engine.awaitIdle();

    assertEquals(Optional.of(Reason.OVERLAP), engine.history("j").get(2).reason());
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void aRunThatIsRequestedAtTheInstantOfAnOccurrenceIsAnotherExecution() {
    engine.put("j", plain("skip").json());
    target.hold();
    clock.set(at("12:01:00"));
    engine.requestExecution("j");

    engine.poll();
    target.awaitCalls(1);
    Await.until("one is not performed or waits", () -> !told().isEmpty() || open() == 2);
    target.release();
    engine.stepTo(at("12:01:30"));

    assertEquals(
        2,
        engine.history("j").stream().map(HistoryEntry::execution).distinct().count(),
        () -> "ids of " + engine.history("j"));
    assertEquals(0, open());
    assertEquals(0, kept());
  }

  @Test
  void aJobThatMayOverlapKeepsNothing() {
    target.answer(500);
    engine.put("j", slow("allowAll").json());
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));

    assertEquals(List.of("12:01 failed", "12:02 failed"), told());
    assertEquals(0, kept());
  }
}
