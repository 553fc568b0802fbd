package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Pause;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.Engine;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of jobs that are disabled until an instant. */
class PauseTest extends EngineFixture {
  private static final Instant UNTIL = at("12:10:00");

  @BeforeEach
  void putCollection() {
    set(CollectionDefinition.State.ENABLED);
  }

  private void pause(String job) {
    engine.pause(job, "vendor down", UNTIL);
  }

  private List<String> resumes() {
    return engine.due().stream().filter(due -> due.startsWith("resume:")).toList();
  }

  private void awaitEnabled(String job) {
    Await.until("it is enabled", () -> engine.get(job).state() == JobState.ENABLED);
  }

  @Test
  void theJobRunsAgainFromTheEndOfItsPauseOnAndMakesNothingUp() {
    engine.put("j", every("2026-11-20T12:01:00Z", "{`frequency`:`minute`,`interval`:4}"));
    pause("j");

    engine.stepTo(UNTIL.minusMillis(1));
    assertEquals(JobState.DISABLED, engine.get("j").state());
    engine.stepTo(UNTIL);
    awaitEnabled("j");

    assertEquals(List.of(), target.calls());
    assertEquals(Optional.of(at("12:13:00")), engine.get("j").next());
    assertEquals(0, engine.get("j").counters().skipped());
    assertEquals(Optional.empty(), engine.get("j").pause());
    assertEquals(List.of(), resumes());
    assertEquals(0, engine.redis(Command.HEXISTS, Engine.hash("j"), "pause").toInteger());
  }

  @Test
  void whatWasSaidIsKept() {
    engine.put("j", once("2026-11-20T13:00:00Z"));
    pause("j");

    Pause pause = engine.get("j").pause().orElseThrow();

    assertEquals(
        new Pause(
            NOON, "test", Optional.of("vendor down"), Optional.of(UNTIL), Pause.Reason.CLIENT),
        pause);
  }

  @Test
  void whoeverEnablesItBeforeEndsThePause() {
    engine.put("j", every("2026-11-20T12:30:00Z", "{`frequency`:`hour`}"));
    pause("j");
    engine.setState("j", JobState.ENABLED);
    assertEquals(List.of(), resumes());

    engine.setState("j", JobState.DISABLED);
    engine.stepTo(UNTIL);

    assertEquals(JobState.DISABLED, engine.get("j").state());
    assertEquals(Optional.empty(), engine.get("j").pause());
  }

  @Test
  void aPutEndsIt() {
    engine.put("j", every("2026-11-20T12:30:00Z", "{`frequency`:`hour`}"));
    pause("j");

    engine.put("j", once("2026-11-20T13:00:00Z"));

    assertEquals(List.of(), resumes());
    assertEquals(Optional.empty(), engine.get("j").pause());
  }

  @Test
  void aDeletionLeavesNothingOfIt() {
    engine.put("j", every("2026-11-20T12:30:00Z", "{`frequency`:`hour`}"));
    pause("j");

    engine.delete("j");

    assertEquals(List.of(), engine.due());
  }

  @Test
  void aOneTimeJobWhoseInstantLaysInThePauseRunsWhenItIsOver() {
    engine.put("j", once("2026-11-20T12:05:00Z"));
    pause("j");

    engine.stepTo(at("12:06:00"));
    assertEquals(List.of(), target.calls());
    engine.stepTo(UNTIL);
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aOneTimeJobThatIsTooLateWhenItsPauseIsOverIsFaulted() {
    engine.put("j", begunWithin("PT4M"));
    pause("j");

    engine.stepTo(UNTIL);
    Await.until("it has ended", () -> engine.get("j").state() == JobState.FAULTED);

    assertEquals(List.of(), target.calls());
    HistoryEntry entry = engine.history("j").get(0);
    assertEquals(HistoryEntry.Reason.EXPIRED, entry.reason().orElseThrow());
    assertEquals(at("12:05:00"), entry.dueAt());
    assertEquals(1, engine.get("j").counters().skipped());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void aOneTimeJobThatIsEnabledTooLateIsFaulted() {
    engine.put("j", begunWithin("PT4M"));
    engine.setState("j", JobState.DISABLED);
    clock.set(UNTIL);
    engine.setState("j", JobState.ENABLED);
    engine.step();

    assertEquals(List.of(), target.calls());
    assertEquals(JobState.FAULTED, engine.get("j").state());

    engine.setState("j", JobState.ENABLED);
    engine.step();
    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aOneTimeJobThatIsNotTooLateRunsForItsInstantWhenItsPauseIsOver() {
    engine.put("j", begunWithin("PT6M"));
    pause("j");

    engine.stepTo(UNTIL);
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(at("12:05:00"), engine.history("j").get(0).dueAt());
  }

  private String begunWithin(String limit) {
    return job("2026-11-20T12:05:00Z").with("startWithin", limit).json();
  }

  @Test
  void aOneTimeJobThatWasOverdueWhenItWasPausedRunsWhenThePauseIsOver() {
    engine.put("j", once("2026-11-20T12:05:00Z"));
    engine.freeze();
    clock.set(at("12:06:00"));
    pause("j");
    engine.beat();
    engine.step();
    assertEquals(List.of(), target.calls());

    engine.stepTo(UNTIL);
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aJobWithoutAnOccurrenceLeftStaysDisabledWithItsNote() {
    engine.put(
        "j",
        every("2026-11-20T12:01:00Z", "{`frequency`:`minute`,`endTime`:`2026-11-20T12:05:00Z`}"));
    pause("j");

    engine.stepTo(UNTIL);
    Await.until("it has no end", () -> resumes().isEmpty());

    assertEquals(JobState.DISABLED, engine.get("j").state());
    Pause pause = engine.get("j").pause().orElseThrow();
    assertEquals(Optional.of("vendor down"), pause.note());
    assertEquals(Optional.empty(), pause.until());
  }

  @Test
  void anEntryThatIsLeftOverGoesAndDoesNothing() {
    engine.put("j", once("2026-11-20T13:00:00Z"));
    String key = Engine.name("j").key();
    String due = "carillon:{" + Engine.KEYS.partition(key) + "}:due";
    engine.redis(Command.ZADD, due, "1000", "resume:" + key, "1000", "resume:" + key + "-gone");

    engine.step();

    assertEquals(List.of("job:" + key), engine.due());
  }

  @Test
  void aNodeThatCannotEnableItLeavesItToTheNextLook() {
    engine.put("j", every("2026-11-20T12:30:00Z", "{`frequency`:`hour`}"));
    pause("j");
    engine.freeze();
    try (Engine dying = new Engine(redis().setup(), "dying", clock)) {
      int partition = Engine.KEYS.partition(Engine.name("j").key());
      dying.freeze();
      // The node acts as if it died right after its claim.
      assertEquals(
          1,
          dying
              .stores(s -> s.attempt().claims().claim(partition, UNTIL.toEpochMilli(), UNTIL, 10))
              .resumed()
              .size());
    }
    assertEquals(1, resumes().size());
    clock.set(UNTIL.plus(Duration.ofSeconds(9)));
    engine.beat();
    engine.step();
    assertEquals(JobState.DISABLED, engine.get("j").state());

    engine.stepTo(UNTIL.plus(Duration.ofSeconds(10)));
    awaitEnabled("j");
  }

  @Test
  void aCollectionIsEnabledWhenItsPauseIsOver() {
    engine.put("once", once("2026-11-20T12:05:00Z"));
    engine.put("every", every("2026-11-20T12:05:00Z", "{`frequency`:`minute`,`interval`:4}"));
    Pause pause =
        new Pause(NOON, "test", Optional.of("why"), Optional.of(UNTIL), Pause.Reason.CLIENT);
    putCollection(CollectionDefinition.PLAIN.paused(pause, NOON));

    engine.stepTo(at("12:09:00"));
    engine.beat();
    assertEquals(List.of(), target.calls());
    clock.set(UNTIL);
    Await.until(
        "it is enabled and what waited runs",
        () -> {
          engine.beat();
          engine.step();
          return target.calls().size() == 1;
        });

    CollectionDefinition definition =
        engine.stores(s -> s.collection().collections().get(Engine.COLLECTION)).definition();
    assertEquals(CollectionDefinition.PLAIN, definition);
    engine.stepTo(at("12:13:00"));
    assertEquals(2, target.calls().size());
  }

  @Test
  void aPlainPauseWritesNoFieldOfIt() {
    engine.put("j", once("2026-11-20T13:00:00Z"));
    engine.setState("j", JobState.DISABLED);

    assertFalse(engine.redis(Command.HGETALL, Engine.hash("j")).getKeys().contains("pause"));
    assertTrue(engine.due().isEmpty());
  }
}
