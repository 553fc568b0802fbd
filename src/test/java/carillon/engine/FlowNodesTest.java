package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.flow.FlowName;
import carillon.flow.FlowState;
import carillon.job.Precondition;
import carillon.json.view.FlowCodec;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of a flow over several nodes that join and die, with time as an input. */
@Tag("redis")
class FlowNodesTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final FlowName CRM = new FlowName("default", "default", "crm");
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final TestClock clock = new TestClock(NOON.minusSeconds(1));
  private final CallbackServer target = new CallbackServer();
  private Engine first;
  private Engine second;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    first = node("first");
    second = node("second");
    first.beat();
    second.beat();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    target.close();
  }

  private Engine node(String id) {
    return new Engine(
        RedisServer.shared(),
        id,
        clock,
        EngineSettings.with("node.id=" + id, "node.lease=10s", "node.heartbeat=3s"));
  }

  private void flow(String definition) {
    store(definition);
    look();
  }

  private void store(String definition) {
    byte[] json = definition.replace('`', '"').getBytes(StandardCharsets.UTF_8);
    first.stores(
        stores ->
            stores
                .resource()
                .flows()
                .put(
                    CRM,
                    FlowCodec.read(json, CRM),
                    Optional.empty(),
                    Precondition.NONE,
                    clock.instant()));
  }

  private void look() {
    first.lookAtFlows();
    second.lookAtFlows();
  }

  private void putAtNoon(int count) {
    for (int i = 0; i < count; i++) {
      first.put("j" + i, job(i).replace("\"action\":{", "\"action\":{\"flow\":\"crm\","));
    }
  }

  private String job(int number) {
    return JobJson.get(target.url("/" + number)).startTime(NOON).noRetry().json();
  }

  private FlowState state() {
    return first.stores(stores -> stores.resource().flows().state(CRM, clock.instant()));
  }

  private int inFlight() {
    return state().inFlight().values().stream().mapToInt(Integer::intValue).sum();
  }

  private void poll() {
    first.poll();
    second.poll();
  }

  /** Waits while the clock follows real time. */
  private void await(String what, BooleanSupplier condition) {
    AtomicLong last = new AtomicLong(System.nanoTime());
    Await.until(
        what,
        () -> {
          long now = System.nanoTime();
          clock.advance(Duration.ofNanos(now - last.getAndSet(now)));
          return condition.getAsBoolean();
        });
  }

  @Test
  void bothNodesKeepToOneParallelismAndShareIt() {
    flow("{`parallelism`:4}");
    putAtNoon(60);
    target.hold();

    clock.set(NOON);
    poll();
    await("56 wait", () -> state().waiting() == 56);
    target.awaitCalls(4);
    await("both", () -> state().inFlight().values().stream().mapToInt(n -> n).sum() == 4);
    target.release();
    await("all", () -> target.calls().size() == 60);

    assertEquals(4, target.mostAtOnce());
    assertEquals(60, target.calls().stream().map(CallbackServer.Call::path).distinct().count());
  }

  @Test
  void whatTheListOfADeadNodeHoldsGoesOnWhenItsFlowMatchesItNoMore() {
    flow("{`match`:`127.0.0.1`,`rate`:{`limit`:1,`per`:`PT1H`}}");
    second.beat();
    for (int i = 0; i < 12; i++) {
      first.put("j" + i, job(i));
    }
    clock.set(NOON);
    second.poll();
    first.poll();
    Await.until("11 wait, in the very millisecond", () -> state().waiting() == 11);

    second.close();
    store("{`match`:`other.example`,`rate`:{`limit`:1,`per`:`PT1H`}}");
    first.lookAtFlows();
    clock.advance(LEASE.plusSeconds(1));
    first.beat();
    clock.advance(LEASE.plusSeconds(1));
    first.beat();

    await(
        "all calls",
        () -> {
          first.beat();
          first.lookAtFlows();
          first.poll();
          return target.calls().size() == 12;
        });
    second = node("second");
  }

  @Test
  void whatHasEndedOnANodeThatStopsHoldsNoPlace() {
    flow("{`parallelism`:2}");
    putAtNoon(2);
    clock.set(NOON);
    second.poll();
    first.poll();
    Await.until(
        "both calls are recorded",
        () -> first.history("j0").size() + first.history("j1").size() == 2);
    first.awaitIdle();
    second.awaitIdle();
    assertTrue(inFlight() > 0, "time stands still: it is to be told a little later");

    second.close();
    first.close();
    first = node("first");
    second = node("second");

    assertEquals(0, inFlight());
  }

  @Test
  void whatADeadNodeHeldIsFreeAfterItsLease() {
    flow("{`parallelism`:2}");
    second.beat();
    putAtNoon(12);
    target.hold();
    clock.set(NOON);
    second.poll();
    first.poll();
    target.awaitCalls(2);
    await("10 wait", () -> state().waiting() == 10);
    List<String> holders = List.copyOf(state().inFlight().keySet());
    int before = target.calls().size();

    // The second node is silent from now on. Its calls are still open.
    second.close();
    target.release();
    Duration passed = LEASE.plusSeconds(1);
    clock.advance(passed);
    first.beat();
    clock.advance(passed);
    first.beat();
    first.lookAtFlows();

    await(
        "all, but what was in flight on the dead node may come twice",
        () -> {
          first.beat();
          first.lookAtFlows();
          first.poll();
          return target.calls().stream().map(CallbackServer.Call::path).distinct().count() == 12;
        });
    assertTrue(before <= 2 && !holders.isEmpty());
    assertTrue(target.mostAtOnce() <= 2, () -> target.mostAtOnce() + " at once");
    second = node("second");
  }

  @Test
  void oneRateHoldsForBothNodes() {
    flow("{`rate`:{`limit`:10,`per`:`PT1S`,`burst`:2}}");
    putAtNoon(40);
    clock.set(NOON);
    poll();
    Instant began = clock.instant();

    await("all", () -> target.calls().size() == 40);

    Duration took = Duration.between(began, clock.instant());
    assertTrue(took.toMillis() >= 3750, took::toString);
  }
}
