package carillon.engine;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;

/** Everything that the engine does, on a Redis Cluster: six processes, three masters. */
class ClusterEngineTest extends EngineTest {
  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }
}
