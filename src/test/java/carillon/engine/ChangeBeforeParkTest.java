package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.flow.Flow.FlowPause;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.name.JobState;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisCluster;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of a job that is changed after the claim of an attempt and before the attempt is parked at
 * a paused flow. The attempt is judged by the job as it is then. Runs on a Cluster, where the
 * master of the flow may be late while the master of the job answers.
 */
class ChangeBeforeParkTest extends FlowFixture {
  private static final FlowPause PAUSE =
      new FlowPause(NOON, "test", Optional.empty(), Optional.empty());

  private RedisServer ofFlow;
  private int partition;
  private String job;

  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }

  @BeforeEach
  void putPausedFlow() {
    RedisCluster cluster = RedisCluster.shared();
    ofFlow = cluster.masterOf(cluster.slot(Engine.KEYS.flow(CRM.key())));
    partition =
        IntStream.range(0, Engine.KEYS.partitions())
            .filter(p -> cluster.masterOf(cluster.slot("{" + p + "}")) != ofFlow)
            .findFirst()
            .orElseThrow();
    job =
        IntStream.range(0, 100)
            .mapToObj(i -> "j" + i)
            .filter(name -> Engine.KEYS.partition(Engine.name(name).key()) == partition)
            .findFirst()
            .orElseThrow();
    flow("{`parallelism`:1}", Optional.of(PAUSE));
  }

  private JobJson atNoon() {
    return JobJson.get(target.url("/j")).startTime(NOON).noRetry();
  }

  /**
   * Claims a due attempt and changes its job. Only then does the node receive the answer that the
   * flow has no token.
   */
  private void changeBeforePark(Instant due, Runnable change) {
    ofFlow.pause();
    try {
      clock.set(due); // a driver that asks from now on gets no answer
      engine.poll();
      Await.until("a claim", () -> claims() == 1);
      change.run();
    } finally {
      ofFlow.resume();
    }
    engine.step();
    engine.step();
  }

  private int claims() {
    return engine.redis(Command.HLEN, Engine.KEYS.claims(partition, "node")).toInteger();
  }

  private void change(String definition, JobState state) {
    engine.change(job, definition, state);
  }

  private void assertNothingWaits() {
    assertEquals(0, state().waiting());
    assertEquals(List.of(), engine.due());
  }

  @Test
  void aJobThatIsTakenOutOfTheFlowIsCalled() {
    engine.put(job, inFlow(atNoon()));

    changeBeforePark(NOON, () -> change(atNoon().json(), JobState.ENABLED));

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get(job).state());
    assertNothingWaits();
  }

  @Test
  void aJobWithOtherWordsWaitsOn() {
    engine.put(job, inFlow(atNoon()));
    String text = inFlow(atNoon().with("description", "changed"));

    changeBeforePark(NOON, () -> change(text, JobState.ENABLED));

    assertEquals(1, state().waiting());
  }

  /** The attempt carries the revision that the job had before its text was changed. */
  @Test
  void aJobThatWasChangedBeforeIsNoException() {
    engine.put(job, inFlow(atNoon()));
    change(inFlow(atNoon().with("description", "changed")), JobState.ENABLED);

    changeBeforePark(NOON, () -> change(atNoon().json(), JobState.ENABLED));

    assertEquals(1, target.calls().size());
    assertEquals(JobState.COMPLETED, engine.get(job).state());
    assertNothingWaits();
  }

  @Test
  void aJobThatIsDeletedLeavesNothing() {
    engine.put(job, inFlow(atNoon()));

    changeBeforePark(NOON, () -> engine.delete(job));

    assertNothingWaits();
  }

  @Test
  void aJobThatIsDisabledWaitsForThatAlone() {
    engine.put(job, inFlow(atNoon()));

    changeBeforePark(NOON, () -> engine.setState(job, JobState.DISABLED));

    assertNothingWaits();
    engine.setState(job, JobState.ENABLED);
    engine.step();
    assertEquals(1, state().waiting());
  }

  @Test
  void anOccurrenceOfAJobThatIsChangedIsSkipped() {
    JobJson everyHour = atNoon().every("hour");
    engine.put(job, inFlow(everyHour));

    changeBeforePark(NOON, () -> change(everyHour.json(), JobState.ENABLED));

    List<HistoryEntry> history = engine.history(job);
    assertEquals(
        List.of(Optional.of(Reason.CHANGED)), history.stream().map(HistoryEntry::reason).toList());
    assertEquals(0, state().waiting());
    engine.stepTo(NOON.plus(Duration.ofHours(1)));
    assertEquals(1, target.calls().size());
  }

  /** Waiting attempts keep waiting, and are not judged again and again. */
  @Test
  void aJobThatStaysInTheFlowWaits() {
    engine.put(job, inFlow(atNoon()));

    changeBeforePark(NOON, () -> change(inFlow(atNoon().with("priority", 1)), JobState.ENABLED));

    assertEquals(1, state().waiting());
    assertEquals(List.of(), engine.due());
    assertEquals(0, claims());
  }
}
