package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import carillon.store.Stores;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisCluster;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of a slot, and so a partition, that moves between two masters of a Cluster, key by key. In
 * between, each read must return the right answer or none.
 */
class SlotMigrationTest extends EngineFixture {
  private static final Instant DUE = NOON.plusSeconds(60);
  private static final int PARTITION = 1;

  private final RedisCluster cluster = RedisCluster.shared();
  private final List<String> jobs =
      IntStream.range(0, 100)
          .mapToObj(i -> "j" + i)
          .filter(job -> Engine.KEYS.partition(Engine.name(job).key()) == PARTITION)
          .limit(3)
          .toList();
  private int slot;
  private RedisServer from;
  private RedisServer to;

  @Override
  TestRedis redis() {
    return cluster;
  }

  @BeforeEach
  void putJobs() {
    jobs.forEach(job -> engine.put(job, onceAtDue()));
    slot = cluster.slot("{" + PARTITION + "}");
    from = cluster.masterOf(slot);
    to = cluster.masters().stream().filter(master -> master != from).findFirst().orElseThrow();
  }

  private String onceAtDue() {
    return JobJson.post(target.url("/call")).startTime(DUE).json();
  }

  private static String key(String job) {
    return "carillon:{" + PARTITION + "}:job:" + Engine.name(job).key();
  }

  private void endMove() {
    while (cluster.moveKeys(slot, 100, from, to)) {}
    cluster.endMove(slot, from, to);
  }

  private void assertNotNow(Function<Stores, Future<?>> step) {
    JobException refusal = assertThrows(JobException.class, () -> engine.stores(step::apply));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, refusal.code(), refusal.getMessage());
  }

  /** Adds a claim, so that the old master of the slot still has both keys of a claim. */
  private void holdAClaim() {
    engine.redis(
        Command.HSET,
        "carillon:{" + PARTITION + "}:claims:node",
        "run:default/default/default/gone at=2026-11-20T12:00:00Z occurrence=1 main=1 revision=1 crashes=0",
        NOON.toString());
  }

  @Test
  void aPartitionThatIsHalfMovedIsReadButNotClaimed() {
    engine.freeze();
    holdAClaim();
    cluster.beginMove(slot, from, to);
    cluster.moveKey(key(jobs.get(0)), from, to);

    assertNotNow(stores -> stores.attempt().claims().claim(PARTITION, DUE.toEpochMilli(), DUE, 10));
    jobs.forEach(job -> assertEquals(JobState.ENABLED, engine.get(job).state()));

    endMove();
    engine.beat();
    engine.look();
    engine.stepTo(DUE);
    target.awaitCalls(jobs.size());
    engine.awaitIdle();
    jobs.forEach(job -> assertEquals(JobState.COMPLETED, engine.get(job).state()));
    assertEquals(jobs.size(), target.calls().size());
  }

  @Test
  void aJobOfAHalfMovedPartitionIsReplacedWhollyOrNotAtAll() {
    StoredJob before = engine.get(jobs.get(1));
    cluster.beginMove(slot, from, to);
    cluster.moveKey(key(jobs.get(0)), from, to);

    for (String job : jobs.subList(0, 2)) {
      assertNotNow(stores -> Engine.put(stores, Engine.name(job), 0, before.definition()));
      assertNotNow(
          stores ->
              stores
                  .job()
                  .jobs()
                  .delete(Engine.name(job), 0, Precondition.NONE, Engine.auditContext(NOON)));
    }
    assertEquals(before, engine.get(jobs.get(1)));

    endMove();
    assertTrue(engine.put(jobs.get(1), onceAtDue()).revision() > before.revision());
  }

  @Test
  void aMovedPartitionIsFoundWhereItIsNow() {
    cluster.beginMove(slot, from, to);
    endMove();

    assertEquals(JobState.ENABLED, engine.get(jobs.get(0)).state());
    engine.stepTo(DUE);
    target.awaitCalls(jobs.size());
    engine.awaitIdle();

    jobs.forEach(job -> assertEquals(JobState.COMPLETED, engine.get(job).state()));
  }
}
