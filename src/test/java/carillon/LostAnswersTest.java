package carillon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.HistoryEntry;
import carillon.job.Run;
import carillon.store.Arming;
import carillon.store.RunStore;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step was carried out by Redis and its answer never reached the node. */
class LostAnswersTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private final TestClock clock = new TestClock(START);
  private Engine engine;
  private CallbackServer target;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    target = new CallbackServer();
    engine = new Engine(RedisServer.shared(), "node", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
    target.close();
  }

  /** Claims what is due at an instant under the engine's name and behind its back. */
  private Run claim(String job, Instant now) {
    int partition = Engine.KEYS.partition(Engine.name(job).key());
    return engine
        .stores(stores -> stores.runs().claim(partition, now.toEpochMilli(), now, 10))
        .runs()
        .get(0)
        .run();
  }

  private String everyMinute() {
    return "{\"startTime\":\"2026-11-20T12:05:00Z\",\"action\":{\"type\":\"http\",\"request\":{\"uri\":\""
        + target.url("/call")
        + "\",\"method\":\"GET\"}},\"recurrence\":{\"frequency\":\"minute\"}}";
  }

  @Test
  void aClaimThatTheNodeNeverHeardOfIsCarriedOut() {
    engine.put("j", everyMinute().replace(",\"recurrence\":{\"frequency\":\"minute\"}", ""));
    Instant due = START.plusSeconds(300);

    claim("j", due);
    clock.set(due);
    target.awaitCalls(1);
    engine.awaitIdle();

    assertEquals("completed", engine.get("j").state().word());
    assertEquals(1, target.calls().size());
  }

  @Test
  void armingAgainFindsTheClaimWhereItWasMoved() {
    long revision = engine.put("j", everyMinute()).revision();
    engine.freeze();
    Instant late = START.plusSeconds(600);
    Run run = claim("j", late);
    Run moved = run.movedTo(late);
    HistoryEntry missed =
        new HistoryEntry(
            late, late, run.nominal(), HistoryEntry.Status.SKIPPED, run.phase(), 1, 0, "", "5");
    Arming arming =
        new Arming(run, moved, Optional.of(late.plusSeconds(60)), 5, Optional.of(missed));

    RunStore.Armed first = engine.stores(stores -> stores.runs().arm(arming, revision, late));
    RunStore.Armed repeat = engine.stores(stores -> stores.runs().arm(arming, revision, late));

    assertEquals(List.of(RunStore.Armed.ARMED, RunStore.Armed.ARMED), List.of(first, repeat));
    assertEquals(1, engine.claims());
    assertEquals(1, engine.history("j").size());
  }
}
