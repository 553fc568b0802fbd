package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.JobVersion;
import carillon.job.StoredJob;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.store.job.MovedJobException;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of changes to a job while one of its executions is running. */
class ChangeDuringExecutionTest extends WithEngine {
  private static final Instant AT_ONE = at("12:01:00");
  private static final String LATER = "{\"startTime\":\"2026-11-20T12:20:00Z\"}";
  private static final String KEY = "job:default/default/default/j";

  private void change(String how) {
    switch (how) {
      case "PUT" -> api.put(J, job(AT_ONE));
      case "PATCH" -> api.patch(J, "{`action`:{`retryPolicy`:{`retryType`:`none`}}}");
      case "pause" -> Stream.of("disable", "enable").forEach(this::change);
      default -> api.post(J + "/" + how);
    }
  }

  private List<String> keys() {
    return target.calls().stream()
        .map(call -> call.headers().get("Idempotency-Key"))
        .distinct()
        .toList();
  }

  /** Starts the first call of the job, which stays in flight. */
  private void begin(String json) {
    target.hold();
    api.put(J, json);
    clock.set(at("12:01:00"));
    engine.poll();
    target.awaitCalls(1);
    api.moveTo(at("12:01:01"));
  }

  /** Fails the first attempt, so that the retry waits until 12:01:30. */
  private void fail(String json) {
    target.answer(500);
    api.put(J, json);
    engine.stepTo(at("12:01:00"));
    target.answer(200);
    api.moveTo(at("12:01:01"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "pause", "disable"})
  void theCallOfAOneTimeJobInFlightIsItsOnlyOne(String how) {
    begin(job(AT_ONE));

    change(how);
    target.release();
    engine.stepTo(at("12:05:00"));

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(1, engine.get("j").counters().executions());
    assertEquals(List.of(), skipped());
  }

  /** Lets the node of the call die, and another node recover its claims. */
  private void die() {
    engine.freeze();
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      int p = partition;
      engine.stores(stores -> stores.attempt().claims().recover(p, "node", clock.instant()));
    }
    engine.beat();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "pause", "disable"})
  void aCallThatDiedWithItsNodeBeforeTheJobWasChangedMayHaveBeenMade(String how) {
    JobJson recurring = job().startTime(AT_ONE).every("hour");
    begin(recurring.json());

    if (how.equals("PUT")) {
      api.put(J, recurring.with("description", "put again").json());
    } else {
      change(how);
    }
    die();
    target.release(); // too late for the claim
    engine.stepTo(at("12:02:00"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(), skipped());
    HistoryEntry entry = engine.history("j").get(0);
    assertEquals(HistoryEntry.Status.FAILED, entry.status());
    assertEquals(Optional.of(HistoryEntry.Reason.INTERRUPTED), entry.reason());
    assertEquals(keys(), List.of(entry.execution()));
    assertEquals(
        "Interrupted: its node ended before the outcome was known, so the call may have been made."
            + " Not repeated: the job was changed or disabled",
        entry.message());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "pause"})
  void aRetryOfAOneTimeJobGoesOnWithTheSameKey(String how) {
    fail(job(AT_ONE));

    change(how);
    engine.stepTo(at("12:01:29.999"));
    assertEquals(1, target.calls().size());
    engine.stepTo(at("12:01:30"));

    assertEquals(2, target.calls().size());
    assertEquals(1, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aRetryGoesOnByTheNewDefinition() {
    fail(job(AT_ONE));

    api.patch(J, "{`action`:{`request`:{`uri`:`" + target.url("/other") + "`}}}");
    engine.stepTo(at("12:01:30"));

    assertEquals(1, target.calls("/other").size());
    assertEquals(1, keys().size());
  }

  @Test
  void aRetryThatIsDueWhileTheJobIsDisabledWaitsForItToBeEnabled() {
    fail(job(AT_ONE));
    change("disable");

    engine.stepTo(at("12:02:00"));
    assertEquals(1, target.calls().size());
    api.moveTo(at("12:03:00"));
    change("enable");
    engine.stepTo(at("12:03:00"));

    assertEquals(2, target.calls().size());
    assertEquals(1, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(1, engine.history("j").get(0).retry());
  }

  @Test
  void aRunThatFindsItsJobEnabledAgainIsDueAgain() {
    fail(job(AT_ONE));
    change("disable");
    int partition = Engine.KEYS.partition(Engine.name("j").key());
    Claim claim =
        engine
            .stores(
                s ->
                    s.attempt()
                        .claims()
                        .claim(partition, at("12:02:00").toEpochMilli(), clock.instant(), 9))
            .attempts()
            .get(0)
            .claim();

    change("enable");
    engine.stores(s -> s.attempt().attempts().holdForJob(claim));
    engine.stepTo(at("12:02:00"));

    assertEquals(2, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void whatWaitsForADisabledJobIsRecordedWhenAnotherOccurrenceTakesItsPlace() {
    fail(job(AT_ONE));
    change("disable");
    engine.stepTo(at("12:02:00"));

    api.patch(J, LATER);
    change("enable");
    engine.stepTo(at("12:20:00"));

    assertEquals(List.of(at("12:01:00")), skipped().stream().map(HistoryEntry::dueAt).toList());
    assertEquals(2, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aLaterStartTimeEndsTheRetriesOfTheFormerOccurrence() {
    fail(job(AT_ONE));

    api.patch(J, LATER);
    engine.stepTo(at("12:01:30"));
    assertEquals(1, skipped().size());
    engine.stepTo(at("12:20:00"));

    assertEquals(2, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @ParameterizedTest
  @ValueSource(strings = {"recurring", "later"})
  void aRetryIsRecordedAsSkippedWhenAPutReplacesItsJobDuringTheAttempt(String which) {
    JobJson recurring = job().startTime(AT_ONE).every("hour");
    target.answer(500);
    begin(which.equals("recurring") ? recurring.json() : job(AT_ONE));

    String other = recurring.with("description", "put again").json();
    api.put(J, which.equals("recurring") ? other : job(at("12:20:00")));
    target.release();
    engine.step();
    engine.stepTo(at("12:01:31"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(at("12:01:00")), skipped().stream().map(HistoryEntry::dueAt).toList());
    assertEquals(StoredJob.Counters.ZERO, engine.get("j").counters());
  }

  @Test
  void whatADeletedCollectionsJobDidIsNotInTheHistoryOfOneThatIsMadeAgain() {
    target.answer(500);
    begin(job(AT_ONE));

    api.delete("/jobcollections/default");
    api.put("/jobcollections/default", "{}");
    api.put(J, job(at("12:20:00")));
    target.release();
    engine.step();
    engine.stepTo(at("12:01:31"));
    api.put(J, job(at("12:20:00")));

    assertEquals(List.of(), engine.history("j"));
    target.answer(200);
    engine.stepTo(at("12:20:00"));
    assertEquals(1, engine.history("j").size());
  }

  @Test
  void aJobWithoutStartTimeThatIsPatchedRunsAtOnceAgain() {
    begin(job().json());

    api.patch(J, "{}");
    target.release();
    engine.stepTo(at("12:01:01"));

    assertEquals(2, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aRunThatAClientAsksForWhileTheExecutionGoesOnIsCountedWithIt() {
    fail(job(AT_ONE));
    change("PATCH");

    api.post(J + "/run");
    engine.stepTo(at("12:01:05"));
    assertEquals(JobState.ENABLED, engine.get("j").state());
    engine.stepTo(at("12:01:30"));

    assertEquals(3, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aPutOfACompletedJobIsLaterThanWhatRanThoughItsNodeIsBehind() {
    api.put(J, job(AT_ONE));
    engine.stepTo(at("12:01:00"));

    api.moveTo(at("12:00:59.999"));
    api.put(J, job(AT_ONE));
    engine.stepTo(at("12:01:00.001"));

    assertEquals(
        2,
        target.calls().stream()
            .map(call -> call.headers().get("Carillon-Scheduled-At"))
            .distinct()
            .count());
  }

  @Test
  void aRunThatIsGivenUpLeavesTheOccurrenceOfAOneTimeJobAlone() {
    api.put(J, job(at("13:00:00")));
    api.post(J + "/run");
    for (int crash = 0; crash < 6; crash++) {
      claim(at("12:00:00"));
      int partition = Engine.KEYS.partition(Engine.name("j").key());
      engine.stores(s -> s.attempt().claims().recover(partition, "node", at("12:00:00")));
    }

    engine.beat();
    engine.step();

    assertEquals(List.of(), target.calls());
    assertTrue(engine.history("j").get(0).message().contains("ended, or failed at it, 6 times"));
    assertEquals(JobState.ENABLED, engine.get("j").state());
    engine.stepTo(at("13:00:00"));
    assertEquals(1, target.calls().size());
  }

  @Test
  void runsThatAreAskedForAtOneInstantAllRun() {
    api.put(J, job(at("13:00:00")));

    for (int i = 0; i < 3; i++) {
      api.post(J + "/run");
    }
    engine.stepTo(at("12:00:01"));

    assertEquals(3, target.calls().size());
    assertEquals(3, keys().size());
  }

  @Test
  void aJobThatIsMadeAgainByANodeThatIsBehindIsNoLifeOfItsFormerRuns() {
    Instant future = Instant.parse("2040-01-01T00:00:00Z");
    target.hold();
    api.moveTo(future);
    clock.set(future);
    api.put(J, job().json());
    engine.poll();
    target.awaitCalls(1);
    long before = engine.get("j").revision();

    api.delete(J);
    api.moveTo(future.minusSeconds(1));
    api.put(J, job(Instant.parse("2040-01-02T00:00:00Z")));
    target.release();
    engine.awaitIdle();

    StoredJob again = engine.get("j");
    assertTrue(again.revision() > before);
    assertEquals(JobState.ENABLED, again.state());
    assertEquals(StoredJob.Counters.ZERO, again.counters());
    assertEquals(List.of(), engine.history("j"));
    api.put(J, job(Instant.parse("2040-01-02T00:00:00Z")));
    engine.stepTo(Instant.parse("2040-01-02T00:00:00Z"));
    assertEquals(1, engine.history("j").size());
  }

  @Test
  void anAttemptOfADeletedJobThatWasWrittenLongAgoTellsTheNextOfItsNameNothing() {
    target.hold();
    api.put(J, job().json());
    engine.poll();
    target.awaitCalls(1);

    api.delete(J);
    api.put(J, job(AT_ONE));
    target.release();
    engine.awaitIdle();

    assertEquals(List.of(), engine.history("j"));
    assertEquals(StoredJob.Counters.ZERO, engine.get("j").counters());
  }

  @Test
  void aJobThatIsMadeAgainInTheMomentOfItsDeletionHasAnotherETag() {
    Instant future = Instant.parse("2040-01-01T00:00:00Z");
    api.moveTo(future);
    clock.set(future);
    String first = api.put(J, job(future.plusSeconds(60))).etag();

    api.delete(J);
    String second = api.put(J, job(future.plusSeconds(60))).etag();
    api.delete(J);
    String third = api.put(J, job(future.plusSeconds(60))).etag();

    assertEquals(3, Set.of(first, second, third).size());
  }

  @Test
  void aDefinitionThatIsSealedAnewMeanwhileIsNotWrittenBack() {
    api.put(J, job(AT_ONE));
    JobVersion version =
        engine.stores(s -> s.job().reader().version(Engine.name("j"))).orElseThrow();
    String key = Engine.slot("j") + KEY;
    String definition = engine.redis(Command.HGET, key, "definition").toString();

    engine.redis(Command.HSET, key, "definition", definition.replaceFirst("\\{", "{ "));

    assertThrows(
        MovedJobException.class,
        () ->
            engine.stores(
                s ->
                    s.job()
                        .jobs()
                        .change(
                            version,
                            0,
                            version.job().orElseThrow().definition(),
                            JobState.DISABLED,
                            Engine.auditContext(clock.instant()))));
    assertNotEquals(definition, engine.redis(Command.HGET, key, "definition").toString());
  }

  @Test
  void theSameHoldsForAJobThatIsChangedTwice() {
    fail(job(AT_ONE));

    change("PATCH");
    change("pause");
    change("PUT");
    engine.stepTo(at("12:01:00").plus(Duration.ofSeconds(30)));

    assertEquals(2, target.calls().size());
    assertEquals(1, keys().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }
}
