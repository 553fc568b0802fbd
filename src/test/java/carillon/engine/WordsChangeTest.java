package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.StoredJob;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobState;
import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a new description or new labels change neither the work nor the instants of a job. */
class WordsChangeTest extends EngineFixture {
  private static final String HOURLY = "{\"frequency\":\"hour\"}";

  private JobJson ours() {
    return JobJson.get(target.url("/j")).noRetry();
  }

  private void change(JobJson definition) {
    engine.change("j", definition.json(), JobState.ENABLED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"description", "labels"})
  void aRecurringJobWithoutAStartIsNotCalledForThem(String property) {
    engine.put("j", ours().recurrence(HOURLY).json());
    engine.step();
    StoredJob before = engine.get("j");
    clock.advance(Duration.ofMinutes(5));

    change(said(property, ours().recurrence(HOURLY)));
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(before.next(), engine.get("j").next());
    assertEquals(before.occurrence(), engine.get("j").occurrence());
    clock.advance(Duration.ofMinutes(55));
    engine.step();
    assertEquals(2, target.calls().size());
  }

  private static JobJson said(String property, JobJson job) {
    return property.equals("labels")
        ? job.with("labels", new JsonObject().put("team", "x"))
        : job.with("description", "words");
  }

  @Test
  void anOccurrenceThatIsDueStaysDue() {
    engine.put("j", ours().startTime(NOON).recurrence(HOURLY).json());
    clock.set(NOON.plusSeconds(90));

    change(said("labels", ours().startTime(NOON).recurrence(HOURLY)));
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(0, engine.history("j").stream().filter(WordsChangeTest::isSkipped).count());
  }

  @Test
  void anExecutionUnderWayGoesOn() {
    target.hold();
    engine.put("j", ours().json());
    engine.poll();
    target.awaitCalls(1);

    change(said("description", ours()));
    target.release();
    engine.awaitIdle();
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get("j").state());
    assertEquals(0, engine.history("j").stream().filter(WordsChangeTest::isSkipped).count());
  }

  @Test
  void anotherActionIsCalledAtOnceAsBefore() {
    engine.put("j", ours().recurrence(HOURLY).json());
    engine.step();
    clock.advance(Duration.ofMinutes(5));

    change(JobJson.get(target.url("/other")).noRetry().recurrence(HOURLY));
    engine.step();

    assertEquals(2, target.calls().size());
  }

  private static boolean isSkipped(HistoryEntry entry) {
    return entry.status() == Status.SKIPPED;
  }
}
