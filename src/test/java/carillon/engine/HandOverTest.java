package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.store.node.NodeRecord;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisCluster;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of a stopping node (SIGTERM): it returns all claims without a begun call. */
@Tag("redis")
class HandOverTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final int JOBS = 6;

  private final TestClock clock = new TestClock(START);

  private static Settings oneCallAtATime() {
    return EngineSettings.with("dispatch.maxInFlight=" + JOBS * 4, "dispatch.maxPerDestination=1");
  }

  private static String once(Instant due, String url) {
    return JobJson.get(url).startTime(due).json();
  }

  @Test
  void whatWasNotBegunIsDoneByAnotherAtOnceAndNotAfterALease() {
    RedisServer.shared().flush();
    try (CallbackServer target = new CallbackServer();
        Engine stopping = new Engine(RedisServer.shared(), "stopping", clock, oneCallAtATime())) {
      target.hold();
      for (int i = 0; i < JOBS; i++) {
        stopping.put("j" + i, once(START, target.url("/j" + i)));
      }
      stopping.poll();
      Await.until("one call, and claims that wait", () -> target.calls().size() == 1);
      Await.until("claims that wait", () -> stopping.claims() > 1);

      stopping.quiesce();

      assertEquals(1, stopping.claims(), "only the call under way");
      assertEquals(JOBS - 1, stopping.due().size());
      assertTrue(
          stopping.due().stream()
              .allMatch(run -> run.endsWith(" crashes=0") || run.startsWith("job:")));
      // The step is long enough for attempts without a place, and shorter than a lease.
      clock.advance(Duration.ofSeconds(2));
      try (Engine other = new Engine(RedisServer.shared(), "other", clock)) {
        other.beat();
        Await.until(
            "the calls of the other node",
            () -> {
              other.poll();
              return target.calls().size() == JOBS;
            });
        target.release();
        other.awaitIdle();
        stopping.awaitIdle();
      }
      assertEquals(JOBS, target.calls().size());
    }
  }

  /** The clock stands still, so no deferred attempt comes back automatically. */
  @Test
  void whatWasPutOffIsCalledByAnotherAsPlacesBecomeFree() {
    RedisServer.shared().flush();
    int herd = 300;
    try (CallbackServer target = new CallbackServer();
        Engine stopping = new Engine(RedisServer.shared(), "stopping", clock, oneCallAtATime())) {
      target.hold();
      for (int i = 0; i < herd; i++) {
        stopping.put("j" + i, once(START, target.url("/j" + i)));
      }
      stopping.poll();
      Await.until("all are put off", () -> stopping.due(START) == 0);
      stopping.quiesce();

      try (Engine other = new Engine(RedisServer.shared(), "other", clock, oneCallAtATime())) {
        other.beat();
        target.release();
        target.awaitCalls(herd);
        other.awaitIdle();
        stopping.awaitIdle();
      }
      assertEquals(herd, target.calls().size());
    }
  }

  /** Runs on a Cluster, where one master may be late while the others answer. */
  @Test
  void whatIsClaimedWhileTheNodeStopsIsGivenBackToo() {
    RedisCluster cluster = RedisCluster.shared();
    cluster.flush();
    // The partition is on another master than the node's record.
    int partition = 3;
    RedisServer late = cluster.masterOf(cluster.slot("{" + partition + "}"));
    Instant due = START.plusSeconds(60);
    try (CallbackServer target = new CallbackServer();
        Engine leaver = new Engine(cluster.setup(), "leaver", clock, oneCallAtATime())) {
      target.hold();
      IntStream.range(0, 100)
          .mapToObj(i -> "j" + i)
          .filter(job -> Engine.KEYS.partition(Engine.name(job).key()) == partition)
          .limit(JOBS)
          .forEach(job -> leaver.put(job, once(due, target.url("/" + job))));

      CompletableFuture<Void> stop;
      late.pause();
      try {
        clock.set(due);
        leaver.poll();
        stop = CompletableFuture.runAsync(leaver::quiesce);
        Await.until("it leaves", () -> isLeaving(leaver));
      } finally {
        late.resume();
      }
      stop.join();

      assertEquals(1, leaver.claims(), "only the call under way");
      assertEquals(JOBS - 1, leaver.due().size());
      target.release();
      leaver.awaitIdle();
    }
  }

  private static boolean isLeaving(Engine node) {
    return node.members().stream()
        .anyMatch(member -> member.record().filter(NodeRecord::leaving).isPresent());
  }
}
