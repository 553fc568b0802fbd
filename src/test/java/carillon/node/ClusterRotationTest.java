package carillon.node;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;

/** The same on a Redis Cluster: secrets lie on each of its masters. */
class ClusterRotationTest extends RotationTest {
  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }
}
