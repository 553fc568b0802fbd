package carillon.engine;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** All tests of the engine on a Redis Cluster: six processes, three masters. */
@Tag("redis")
class ClusterEngineTest {
  @Nested
  class Schedules extends EngineScheduleTest {
    @Override
    TestRedis redis() {
      return RedisCluster.shared();
    }
  }

  @Nested
  class Retries extends EngineRetryTest {
    @Override
    TestRedis redis() {
      return RedisCluster.shared();
    }
  }

  @Nested
  class Claims extends EngineClaimTest {
    @Override
    TestRedis redis() {
      return RedisCluster.shared();
    }
  }
}
