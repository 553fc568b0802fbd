package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.StoredJob;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a Redis clock that is set back while a node still claims by the earlier time. */
class ClockSetBackTest extends EngineFixture {
  private static final Instant DUE = NOON.plusSeconds(10);

  @BeforeEach
  void putDue() {
    put("j");
  }

  private StoredJob put(String job) {
    return engine.put(job, JobJson.get(target.url("/j")).startTime(DUE).json());
  }

  @Test
  void whatWasClaimedFarTooEarlyWaitsAgain() {
    List<String> waiting = engine.due();
    clock.leaveBehind(Duration.ofHours(1));

    engine.stepTo(DUE);

    assertEquals(0, target.calls().size());
    assertEquals(waiting.size(), engine.due().size());
    assertEquals(DUE.toEpochMilli(), score(engine.due().get(0)));

    engine.stepTo(DUE);
    target.awaitCalls(1);
    assertEquals(1, engine.get("j").counters().executions());
  }

  @Test
  void whatWasClaimedALittleTooEarlyIsKeptUntilItsTime() {
    clock.leaveBehind(Duration.ofMillis(700));
    clock.set(DUE);
    long began = System.nanoTime();

    engine.poll();

    target.awaitCalls(1);
    assertTrue(System.nanoTime() - began >= Duration.ofMillis(700).toNanos());
    Await.until("it is recorded", () -> engine.get("j").counters().executions() == 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsSubmittedByTheTimeBeforeIsDueByTheTimeSince(boolean isThere) {
    Instant early = DUE.minusSeconds(5);
    clock.set(early.plus(Duration.ofHours(1)));
    clock.leaveBehind(Duration.ofHours(1));

    StoredJob job = put(isThere ? "j" : "other");

    assertEquals(Optional.of(DUE), job.next());
    assertEquals(
        DUE.toEpochMilli(), score("job:default/default/default/" + (isThere ? "j" : "other")));
  }

  private long score(String member) {
    String list =
        "carillon:{"
            + Engine.KEYS.partition(member.substring("job:".length()).split(" ", 2)[0])
            + "}:due";
    return engine.redis(Command.ZSCORE, list, member).toLong();
  }
}
