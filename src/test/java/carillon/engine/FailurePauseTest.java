package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import carillon.access.AuditEntry;
import carillon.access.AuditEntry.AuditFilter;
import carillon.job.Pause;
import carillon.job.attempt.HistoryMark;
import carillon.job.collection.CollectionDefinition;
import carillon.job.name.JobState;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of jobs that are disabled when their executions fail in a row. */
class FailurePauseTest extends EngineFixture {
  private static final Instant FIRST = at("12:01:00");
  private int minute;

  @BeforeEach
  void putCollection() {
    set(CollectionDefinition.State.ENABLED);
    target.answer(500);
  }

  private JobJson bounded(int failures) {
    return job("2026-11-20T12:01:00Z")
        .noRetry()
        .every("minute")
        .with("pauseAfterFailures", failures);
  }

  /** Runs an occurrence and its successors. */
  private void run(int status) {
    target.answer(status);
    engine.stepTo(FIRST.plusSeconds(60L * minute++));
    engine.step();
  }

  private String streak() {
    Response streak = engine.redis(Command.HGET, Engine.hash("j"), "streak");
    return Objects.toString(streak, "none");
  }

  private JobState state() {
    return engine.get("j").state();
  }

  @Test
  void soManyFailuresInARowDisableTheJob() {
    engine.put("j", bounded(3).json());
    run(500);
    run(500);
    assertEquals("2", streak());
    assertEquals(JobState.ENABLED, state());

    run(500);

    assertEquals(JobState.DISABLED, state());
    assertEquals(
        Optional.of(
            new Pause(
                at("12:03:00"),
                "carillon",
                Optional.of("stopped after 3 failures"),
                Optional.empty(),
                Pause.Reason.FAILURES)),
        engine.get("j").pause());
    assertEquals("none", streak());
    assertEquals(List.of(), engine.due());
    run(500);
    assertEquals(3, target.calls().size());
    List<AuditEntry> log =
        engine.stores(s -> s.job().auditLog().page(AuditFilter.ALL, "", 0, 1)).entries();
    assertEquals("carillon", log.get(0).facts().get("by"));
    assertEquals(
        List.of("disabled by carillon (stopped after 3 failures): schedule was every minute"),
        engine.marks("j").stream().map(HistoryMark::message).toList());
    assertEquals(3, engine.history("j").size());
  }

  @Test
  void aSuccessBeginsTheCountAnew() {
    engine.put("j", bounded(2).json());
    run(500);
    run(200);
    assertEquals("none", streak());
    run(500);
    assertEquals(JobState.ENABLED, state());
    run(500);

    assertEquals(JobState.DISABLED, state());
  }

  @Test
  void anExecutionEndsWithItsErrorActionWhichIsStillPerformed() {
    engine.put("j", bounded(1).errorAction(JobJson.post(target.url("/error")).noRetry()).json());

    run(500);
    engine.step();

    assertEquals(1, target.calls("/error").size());
    assertEquals(JobState.DISABLED, state());
  }

  @Test
  void retriesAreNoExecutions() {
    engine.put("j", bounded(2).fixedRetry("PT10S", 2).json());

    run(500);
    engine.stepTo(at("12:01:15"));
    engine.stepTo(at("12:01:30"));

    assertEquals(3, target.calls().size());
    assertEquals("1", streak());
    assertEquals(JobState.ENABLED, state());
  }

  @Test
  void whoeverEnablesItBeginsTheCountAnew() {
    engine.put("j", bounded(2).json());
    run(500);
    run(500);
    assertEquals(JobState.DISABLED, state());

    engine.setState("j", JobState.ENABLED);
    minute++;
    run(500);

    assertEquals("1", streak());
    assertEquals(JobState.ENABLED, state());
  }

  @Test
  void anExecutionThatIsGivenUpAfterCrashesCounts() {
    engine.put("j", bounded(2).json());
    run(500);
    clock.set(FIRST.plusSeconds(60));
    engine.freeze();
    String key = Engine.name("j").key();
    int partition = Engine.KEYS.partition(key);
    for (int crash = 0; crash < 6; crash++) {
      engine.stores(
          s ->
              s.attempt()
                  .claims()
                  .claim(partition, clock.instant().toEpochMilli(), clock.instant(), 10));
      engine.stores(s -> s.attempt().claims().recover(partition, "node", clock.instant()));
    }

    engine.beat();
    engine.step();

    assertEquals(1, target.calls().size());
    assertEquals(JobState.DISABLED, state());
    assertEquals(Pause.Reason.FAILURES, engine.get("j").pause().orElseThrow().reason());
  }

  @Test
  void aJobWithoutABoundHasNoCount() {
    engine.put("j", job("2026-11-20T12:01:00Z").noRetry().every("minute").json());

    run(500);

    assertEquals("none", streak());
    assertFalse(engine.get("j").definition().pauseAfterFailures().isPresent());
  }
}
