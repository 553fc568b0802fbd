package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.attempt.Claim;
import carillon.job.collection.CollectionDefinition.State;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that an attempt claimed at its instant, and waiting again, is not early after Redis' clock
 * is set back.
 */
class WaitingAfterStepBackTest extends EngineFixture {
  private static final Duration BACK = Duration.ofSeconds(30);

  @Override
  Instant begin() {
    return NOON.minusSeconds(1);
  }

  @BeforeEach
  void putAtNoon() {
    engine.put("j", JobJson.get(target.url("/j")).startTime(NOON).json());
  }

  private void assertCalledAtNoonOnly() {
    Await.until("it waits", () -> !engine.due().isEmpty());
    engine.step();
    assertEquals(List.of(), target.calls());
    engine.stepTo(NOON);
    assertEquals(1, target.calls().size());
  }

  @Test
  void forACollectionThatIsEnabled() {
    set(State.DISABLED);
    engine.stepTo(NOON);
    clock.step(BACK.negated());

    set(State.ENABLED);

    assertCalledAtNoonOnly();
  }

  private Claim claim() {
    engine.freeze();
    int partition = Engine.KEYS.partition(Engine.name("j").key());
    return engine
        .stores(s -> s.attempt().claims().claim(partition, NOON.toEpochMilli(), NOON, 10))
        .attempts()
        .get(0)
        .claim();
  }

  @Test
  void handedBack() {
    Claim claim = claim();
    clock.set(NOON);
    clock.step(BACK.negated());

    engine.stores(s -> s.attempt().attempts().release(claim, clock.instant()));
    engine.beat();

    assertCalledAtNoonOnly();
  }

  @Test
  void claimedByALookWhoseAnswerWasLost() {
    int partition = Engine.KEYS.partition(claim().attempt().job());
    clock.set(NOON);
    clock.step(BACK.negated());

    engine.stores(
        s -> s.attempt().attempts().releaseUnknown(partition, held -> false, clock.instant()));
    engine.beat();

    assertCalledAtNoonOnly();
  }
}
