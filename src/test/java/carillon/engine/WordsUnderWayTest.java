package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.config.Settings;
import carillon.flow.Flow.FlowPause;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.support.CallbackServer.Call;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that a new description or new labels do not stop unfinished work of a job: attempts in
 * flight, retries, and waiting attempts. These wait for a flow, a destination or the end of another
 * execution.
 */
class WordsUnderWayTest extends FlowFixture {
  private static final String FLOW = "{`parallelism`:1}";
  private static final FlowPause PAUSE =
      new FlowPause(NOON, "test", Optional.empty(), Optional.empty());

  private int texts;

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=1");
  }

  private JobJson hourly() {
    return JobJson.get(target.url("/j")).startTime(NOON).fixedRetry("PT5S", 3).every("hour");
  }

  /** Changes the description each time. The rest of the definition stays. */
  private void say(String job, JobJson definition) {
    say(job, definition, JobState.ENABLED);
  }

  private void say(String job, JobJson definition, JobState state) {
    engine.change(job, definition.with("description", "text " + ++texts).json(), state);
  }

  private void stepBy(int seconds) {
    engine.stepTo(clock.instant().plusSeconds(seconds));
  }

  private List<Reason> skipped() {
    return engine.history("j").stream()
        .map(HistoryEntry::reason)
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns the number of the job's calls at the target, without those of others. */
  private long calls() {
    return target.calls().stream().map(Call::path).filter("/j"::equals).count();
  }

  @Test
  void retriesOfARecurringJobGoOn() {
    target.answer(500);
    engine.put("j", hourly().json());
    engine.stepTo(NOON);

    say("j", hourly());
    for (int i = 0; i < 4; i++) {
      stepBy(5);
    }

    assertEquals(4, calls());
    assertEquals(List.of(), skipped());
    assertEquals(1, engine.get("j").counters().executions());
    assertEquals(1, engine.get("j").counters().faulted());
  }

  @Test
  void anAttemptInFlightIsRetried() {
    target.answer(500);
    target.hold();
    engine.put("j", hourly().json());
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);

    say("j", hourly());
    target.release();
    engine.awaitIdle();
    stepBy(5);

    assertEquals(2, calls());
    assertEquals(List.of(), skipped());
  }

  @Test
  void whatWaitsForAFlowKeepsItsPlace() {
    flow(FLOW, Optional.of(PAUSE));
    engine.put("j", inFlow(hourly()));
    engine.stepTo(NOON);
    assertEquals(1, state().waiting());

    engine.change("j", inFlow(hourly().with("description", "words")), JobState.ENABLED);
    assertEquals(1, state().waiting());
    flow(FLOW);
    stepBy(1);
    engine.step();

    assertEquals(1, calls());
    assertEquals(List.of(), skipped());
    engine.stepTo(NOON.plus(Duration.ofHours(1)));
    assertEquals(2, calls());
  }

  @Test
  void whatWaitsForItsDestinationIsCalledAndRetried() {
    target.answer(500);
    target.hold();
    engine.put("a", JobJson.get(target.url("/a")).startTime(NOON).noRetry().json());
    engine.put("j", hourly().json());
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(1);

    say("a", JobJson.get(target.url("/a")).startTime(NOON).noRetry());
    say("j", hourly());
    target.release();
    target.awaitCalls(2);
    engine.awaitIdle();
    stepBy(1);
    stepBy(5);

    assertEquals(2, calls());
    assertEquals(List.of(), skipped());
  }

  @Test
  void whatWaitsForTheEndOfAnotherExecutionIsNotBegunBeforeIt() {
    JobJson slow =
        JobJson.get(target.url("/j"))
            .startTime(NOON)
            .fixedRetry("PT100S", 1)
            .every("minute")
            .with("overlap", "bufferOne");
    target.answer(500);
    engine.put("j", slow.json());
    engine.stepTo(NOON);
    stepBy(60);

    say("j", slow);
    stepBy(10);
    assertEquals(1, calls());
    target.answer(200);
    stepBy(30);
    engine.step();

    assertEquals(3, calls());
    assertEquals(List.of(), skipped());
  }

  @Test
  void noExecutionIsBegunBesideAnotherThatIsUnderWay() {
    JobJson slow =
        JobJson.get(target.url("/j"))
            .startTime(NOON)
            .fixedRetry("PT100S", 1)
            .every("minute")
            .with("overlap", "skip");
    target.answer(500);
    engine.put("j", slow.json());
    engine.stepTo(NOON);

    say("j", slow);
    stepBy(60);
    assertEquals(List.of(Reason.OVERLAP), skipped());
    target.answer(200);
    stepBy(40);

    assertEquals(2, calls());
    stepBy(20);
    assertEquals(3, calls());
  }

  @Test
  void oneChangeAfterTheOtherIsNoException() {
    target.answer(500);
    engine.put("j", hourly().json());
    engine.stepTo(NOON);

    say("j", hourly());
    say("j", hourly());
    stepBy(5);
    say("j", hourly());
    stepBy(5);
    stepBy(5);

    assertEquals(4, calls());
    Instant next = NOON.plus(Duration.ofHours(1));
    assertEquals(Optional.of(next), engine.get("j").next());
    engine.stepTo(next);
    say("j", hourly());
    stepBy(5);
    assertEquals(6, calls());
    assertEquals(List.of(), skipped());
  }

  @Test
  void anotherChangeAfterwardsDropsTheRetriesAsEver() {
    target.answer(500);
    engine.put("j", hourly().json());
    engine.stepTo(NOON);

    say("j", hourly());
    engine.change("j", hourly().fixedRetry("PT5S", 1).json(), JobState.ENABLED);
    stepBy(5);

    assertEquals(1, calls());
    assertEquals(List.of(Reason.CHANGED), skipped());
    engine.stepTo(NOON.plus(Duration.ofHours(1)));
    stepBy(5);
    assertEquals(3, calls());
  }

  @Test
  void aDisableAfterwardsDropsWhatIsDue() {
    engine.put("j", hourly().json());
    say("j", hourly());
    clock.set(NOON);

    engine.setState("j", JobState.DISABLED);
    engine.step();

    assertEquals(0, calls());
    assertEquals(List.of(Reason.CHANGED), skipped());
  }

  @Test
  void aRequestedExecutionGoesOnBeforeTheScheduleBegins() {
    JobJson later = hourlyLater();
    target.answer(500);
    engine.put("j", later.json());
    engine.requestExecution("j");
    engine.step();

    say("j", later);
    stepBy(5);

    assertEquals(2, calls());
    assertEquals(List.of(), skipped());
  }

  private JobJson hourlyLater() {
    return JobJson.get(target.url("/j"))
        .startTime(NOON.plus(Duration.ofHours(5)))
        .fixedRetry("PT5S", 3);
  }

  @Test
  void aDisabledJobStillOwesItsOnlyOccurrence() {
    JobJson once = JobJson.get(target.url("/j")).startTime(NOON).noRetry();
    engine.put("j", once.json());
    clock.set(NOON.plusSeconds(1));
    engine.setState("j", JobState.DISABLED);

    say("j", once, JobState.DISABLED);
    engine.step();
    assertEquals(0, calls());
    engine.setState("j", JobState.ENABLED);
    engine.step();

    assertEquals(1, calls());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }

  @Test
  void failuresInARowAreCountedOn() {
    JobJson paused =
        JobJson.get(target.url("/j"))
            .startTime(NOON)
            .noRetry()
            .every("minute")
            .with("pauseAfterFailures", 2);
    set(CollectionDefinition.State.ENABLED);
    target.answer(500);
    engine.put("j", paused.json());
    engine.stepTo(NOON);

    say("j", paused);
    stepBy(60);
    engine.step();

    assertEquals(JobState.DISABLED, engine.get("j").state());
  }

  @Test
  void theLastOccurrenceEndsItsJob() {
    JobJson last = hourly().recurrence("{`frequency`:`hour`,`count`:1}");
    target.answer(500);
    engine.put("j", last.json());
    engine.stepTo(NOON);

    say("j", last);
    assertEquals(JobState.ENABLED, engine.get("j").state());
    target.answer(200);
    stepBy(5);

    assertEquals(2, calls());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
  }
}
