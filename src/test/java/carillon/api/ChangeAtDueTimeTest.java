package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.JobVersion;
import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.store.job.MovedJobException;
import carillon.support.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of changes to a job near the instant at which it is due. */
class ChangeAtDueTimeTest extends WithEngine {
  /** Returns a job that runs every minute from 12:01 on. */
  private static String everyMinute(String more) {
    return job().startTime(at("12:01:00")).recurrence("{`frequency`:`minute`" + more + "}").json();
  }

  /** Makes a change that keeps the schedule; a PUT changes another property. */
  private Answer change(String how) {
    return switch (how) {
      case "PUT" ->
          api.put(J, everyMinute("").replaceFirst("\\{", "{\"description\":\"put again\","));
      case "PATCH" -> api.patch(J, "{`state`:`enabled`}");
      default -> api.post(J + "/" + how);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT"})
  void anOccurrenceThatWasCalledIsNotCalledAgainThoughTheNodeThatChangesItIsBehind(String how) {
    api.put(J, everyMinute(""));
    engine.stepTo(at("12:01:00"));

    api.moveTo(at("12:00:59.999"));
    Answer answer = change(how);
    engine.step();

    answer.assertContains("`nextExecutionTime`:`2026-11-20T12:02:00Z`");
    assertEquals(1, target.calls().size());
    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "disable"})
  void whatWasDueAndNotBegunIsRecordedByTheChangeThatDropsIt(String how) {
    api.put(J, everyMinute(""));

    api.moveTo(at("12:10:30"));
    change(how);

    HistoryEntry entry = skipped().get(0);
    assertEquals(1, engine.history("j").size());
    assertEquals(at("12:01:00"), entry.dueAt());
    assertTrue(
        entry
            .message()
            .startsWith(
                "Not performed: 10 occurrences from 2026-11-20T12:01:00Z were due and not begun when the job was "),
        entry.message());
    assertEquals(how.equals("PUT") ? 0 : 10, engine.get("j").counters().skipped());
  }

  @Test
  void whatIsDueAfterTheChangeIsCalled() {
    api.put(J, everyMinute(""));

    api.moveTo(at("12:01:00.001"));
    change("PATCH");
    engine.stepTo(at("12:02:00"));

    assertEquals(1, target.calls().size());
    assertEquals(at("12:01:00"), skipped().get(0).dueAt());
    assertEquals(1, skipped().size());
  }

  @Test
  void whatMayBeDueByRedisClockIsRecordedToo() {
    api.put(J, everyMinute(""));

    api.moveTo(at("12:00:59.999"));
    api.doubt(Duration.ofMillis(2));
    api.patch(J, "{`startTime`:`2026-11-20T12:01:30Z`}");

    assertEquals(List.of(at("12:01:00")), skipped().stream().map(HistoryEntry::dueAt).toList());
  }

  @Test
  void aChangeOnTheInstantLeavesTheOccurrenceToBeCalled() {
    api.put(J, everyMinute(""));

    api.moveTo(at("12:01:00"));
    change("PATCH");
    engine.stepTo(at("12:01:00"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(), skipped());
  }

  @Test
  void aClaimBetweenTheReadingAndTheWritingIsNotMissed() {
    api.put(J, everyMinute(""));
    JobVersion version =
        engine.stores(stores -> stores.job().reader().version(Engine.name("j"))).orElseThrow();

    claim(at("12:01:00"));

    assertThrows(
        MovedJobException.class,
        () ->
            engine.stores(
                stores ->
                    stores
                        .job()
                        .jobs()
                        .change(
                            version,
                            0,
                            version.job().orElseThrow().definition(),
                            JobState.ENABLED,
                            Engine.auditContext(at("12:01:00")))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "PUT", "disable"})
  void whatIsClaimedAndNotArmedIsNotMadeAgainAndWhatItWouldHaveMissedIsRecorded(String how) {
    api.put(J, everyMinute(""));
    claim(at("12:01:00"));

    api.moveTo(at("12:03:10"));
    change(how);
    StoredJob job = engine.get("j");

    assertEquals(
        how.equals("disable") ? Optional.empty() : Optional.of(at("12:04:00")), job.next());
    assertEquals(how.equals("PUT") ? 1 : 2, job.occurrence());
    assertEquals(List.of(at("12:02:00")), skipped().stream().map(HistoryEntry::dueAt).toList());
    assertTrue(skipped().get(0).message().contains("2 occurrences"));
  }

  @Test
  void theCountIsNotExceededByChangesDuringTheLastExecution() {
    target.hold();
    api.put(J, everyMinute(",\"count\":1"));
    clock.set(at("12:01:00"));
    engine.poll();
    target.awaitCalls(1);
    api.moveTo(at("12:01:01"));

    int patched = api.patch(J, "{`state`:`enabled`}").status();
    int disabled = api.post(J + "/disable").status();
    Answer enabled = api.post(J + "/enable");
    target.release();
    engine.stepTo(at("12:05:00"));

    assertEquals(List.of(409, 200, 409), List.of(patched, disabled, enabled.status()));
    enabled.assertError(409, "Conflict", "Job 'j' has no occurrence left; change its recurrence.");
    assertEquals(1, target.calls().size());
  }

  @Test
  void theCountIsNotExceededByAChangeBetweenClaimAndArm() {
    api.put(J, everyMinute(",\"count\":1"));
    claim(at("12:01:00"));
    api.moveTo(at("12:01:01"));

    api.patch(J, "{`state`:`enabled`}").assertStatus(409);
    api.patch(J, "{`recurrence`:{`count`:2}}").assertStatus(200);
  }

  @Test
  void bulkEnableCountsEachJobFromTheMomentAtWhichItIsWritten() {
    String c = "/jobcollections/default/jobs";
    IntStream.range(0, 150).forEach(i -> api.put(c + "/j" + i, everyMinute("")));
    api.patch(c, "{`state`:`disabled`}");

    api.tick(Duration.ofSeconds(2));
    api.patch(c, "{`state`:`enabled`}");

    Instant last =
        IntStream.range(0, 150)
            .mapToObj(i -> engine.get("j" + i).next().orElseThrow())
            .max(Instant::compareTo)
            .orElseThrow();
    assertTrue(last.isAfter(at("12:04:59")), last::toString);
  }

  @Test
  void aOneTimeJobThatIsDueAndNotBegunIsStillOwed() {
    api.put(J, job(at("12:01:00")));

    api.moveTo(at("12:10:00"));
    change("PATCH");
    change("disable");
    engine.stepTo(at("12:10:00"));
    assertEquals(List.of(), target.calls());
    change("enable");
    engine.stepTo(at("12:11:00"));

    assertEquals(
        List.of("2026-11-20T12:01:00Z"),
        target.calls().stream().map(call -> call.headers().get("Carillon-Scheduled-At")).toList());
    assertEquals(List.of(), skipped());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void aLaterStartTimeIsAnotherOccurrenceAndTheOneThatWasDueIsRecorded() {
    api.put(J, job(at("12:01:00")));

    api.moveTo(at("12:10:00"));
    api.patch(J, "{`startTime`:`2026-11-20T12:20:00Z`}");
    engine.stepTo(at("12:20:00"));

    assertEquals(1, target.calls().size());
    assertEquals(List.of(at("12:01:00")), skipped().stream().map(HistoryEntry::dueAt).toList());
  }

  /** The clock of the changing node is behind, or the clock was set back. */
  @Test
  void whatAFinishedJobHasBegunIsNotCalledAgainThoughItIsPutTwice() {
    api.put(J, job(at("12:01:00")));
    engine.stepTo(at("12:01:00"));

    api.put(J, everyMinute(""));
    api.put(J, everyMinute(""));

    assertEquals(Optional.of(at("12:02:00")), engine.get("j").next());
  }
}
