package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.Claim;
import carillon.job.CollectionDefinition;
import carillon.job.CollectionDefinition.State;
import carillon.job.Precondition;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was claimed at its instant, and waits again, is not early when Redis' clock is set back. */
class WaitingAfterStepBackTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Duration BACK = Duration.ofSeconds(30);

  private final TestClock clock = new TestClock(NOON.minusSeconds(1));
  private CallbackServer target;
  private Engine engine;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    target = new CallbackServer();
    engine = new Engine(RedisServer.shared(), "node", clock);
    engine.put("j", JobJson.get(target.url("/j")).startTime(NOON).json());
  }

  @AfterEach
  void stop() {
    engine.close();
    target.close();
  }

  private void assertCalledAtNoonOnly() {
    Await.until("it waits", Duration.ofSeconds(5), () -> !engine.due().isEmpty());
    engine.step();
    assertEquals(List.of(), target.calls());
    engine.stepTo(NOON);
    assertEquals(1, target.calls().size());
  }

  private void set(State state) {
    engine.stores(
        s ->
            s.collections()
                .put(
                    Engine.COLLECTION,
                    CollectionDefinition.PLAIN.in(state),
                    Precondition.NONE,
                    clock.instant()));
  }

  @Test
  void behindAGateThatIsOpened() {
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
        .stores(s -> s.claims().claim(partition, NOON.toEpochMilli(), NOON, 10))
        .attempts()
        .get(0)
        .claim();
  }

  @Test
  void handedBack() {
    Claim claim = claim();
    clock.set(NOON);
    clock.step(BACK.negated());

    engine.stores(s -> s.attempts().handBack(claim, clock.instant()));
    engine.beat();

    assertCalledAtNoonOnly();
  }

  @Test
  void claimedByALookWhoseAnswerWasLost() {
    int partition = Engine.KEYS.partition(claim().attempt().job());
    clock.set(NOON);
    clock.step(BACK.negated());

    engine.stores(s -> s.attempts().handBackUnknown(partition, held -> false, clock.instant()));
    engine.beat();

    assertCalledAtNoonOnly();
  }
}
