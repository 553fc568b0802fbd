package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.flow.FlowGrant.BreakerState;
import carillon.job.action.Destination;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of the destinations of a flow: a slow one delays the calls of others no more than without
 * the flow.
 */
class FlowDestinationsTest extends FlowFixture {
  private static final int PLACES = 3;
  private static final int SLOW = 60;
  private static final int FAST = 20;

  private final CallbackServer fast = new CallbackServer();

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=" + PLACES);
  }

  @AfterEach
  void stopFast() {
    fast.close();
  }

  private void put(String prefix, int count, CallbackServer at, Duration afterNoon) {
    for (int i = 0; i < count; i++) {
      engine.put(
          prefix + i,
          inFlow(JobJson.get(at.url("/" + i)).startTime(NOON.plus(afterNoon)).noRetry()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`rate`:{`limit`:20,`per`:`PT1S`,`burst`:5}}",
        "{`parallelism`:10}",
        "{`rate`:{`limit`:20,`per`:`PT1S`,`burst`:5},`parallelism`:10}"
      })
  void aHangingDestinationStandsInNobodysWay(String limits) {
    flow(limits);
    put("slow", SLOW, target, Duration.ZERO);
    put("fast", FAST, fast, Duration.ofSeconds(1));
    target.hold();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(PLACES);
    clock.set(NOON.plusSeconds(1));
    Await.until(
        "calls of the other destination",
        () -> {
          clock.advance(Duration.ofMillis(5));
          engine.poll();
          return fast.calls().size() == FAST;
        });

    Duration took = Duration.between(NOON.plusSeconds(1), clock.instant());
    assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, "took " + took);
    assertEquals(PLACES, target.calls().size());

    target.release();
    Await.until(
        "all calls",
        () -> {
          clock.advance(Duration.ofMillis(50));
          engine.poll();
          return target.calls().size() == SLOW;
        });
    engine.awaitIdle();
    assertEquals(SLOW, target.calls().stream().map(CallbackServer.Call::path).distinct().count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"500", "503"})
  void aDestinationThatFailsOrAsksForRestStopsNoOther(int status) {
    flow("{`rate`:{`limit`:1000},`parallelism`:10,`breaker`:{`consecutive`:3,`pause`:`PT1H`}}");
    target.answer(status, status == 503 ? Map.of("Retry-After", "600") : Map.of());
    put("bad", 3, target, Duration.ZERO);
    clock.set(NOON);
    engine.poll();
    target.awaitCalls(3);
    engine.awaitIdle();
    put("late", 2, target, Duration.ofSeconds(1));
    put("fast", FAST, fast, Duration.ofSeconds(1));

    clock.set(NOON.plusSeconds(1));
    engine.poll();
    Await.until(
        "calls of the other destination",
        () -> {
          clock.advance(Duration.ofMillis(5));
          engine.poll();
          return fast.calls().size() == FAST;
        });

    awaitWaiting(2);
    assertEquals(3, target.calls().size());
    assertEquals(BreakerState.OPEN, state().breaker());
    Destination bad = new Destination("127.0.0.1", URI.create(target.url("/")).getPort());
    assertEquals(Set.of(bad.authority()), stopped());
    engine.stores(stores -> stores.resource().flows().reset(CRM));
    assertEquals(Set.of(), stopped());
    target.answer(200);
    clock.advance(Duration.ofSeconds(1));
    engine.lookAtFlows();
    target.awaitCalls(5);
    engine.awaitIdle();
  }

  private Set<String> stopped() {
    return state().destinations().entrySet().stream()
        .filter(lane -> lane.getValue().isStopped())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
