package carillon.store.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Precondition;
import carillon.job.name.JobState;
import carillon.redis.route.RedisErrors;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a Redis that refuses writes for a while. */
@Tag("redis")
class JobStoreTest {
  private static final String JSON = JobJson.get("http://127.0.0.1:9/").json();

  @AutoClose private final RedisServer redis = RedisServer.start();

  @AutoClose
  private final Engine engine =
      new Engine(redis, "a", new TestClock(Instant.parse("2026-11-20T12:00:00Z")));

  private Future<JobStore.Put> put(JobStore jobs, int job) {
    return jobs.put(
        Engine.name("j" + job),
        0,
        Engine.definition(JSON),
        JobState.ENABLED,
        Precondition.NONE,
        Engine.auditContext(Instant.EPOCH),
        Optional.empty());
  }

  /** Puts jobs in one turn, and returns the failure of each. */
  private List<Throwable> refusals(int jobs) {
    return engine.stores(
        stores ->
            Future.all(
                    IntStream.range(0, jobs)
                        .mapToObj(
                            i ->
                                put(stores.job().jobs(), i).map((Throwable) null).otherwise(e -> e))
                        .toList())
                .map(all -> all.<Throwable>list()));
  }

  /** A temporary failure differs from a mistake, also in scripts that repair damaged keys. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void aRedisWithoutMemoryIsUnavailableForEachJobOfABatch(int jobs) {
    redis.ask("CONFIG SET maxmemory 1");

    List<Throwable> refusals = refusals(jobs);

    redis.ask("CONFIG SET maxmemory 0");
    assertEquals(jobs, refusals.size());
    assertTrue(refusals.stream().allMatch(RedisErrors::isUnavailable), refusals::toString);
    engine.put("j0", JSON);
  }
}
