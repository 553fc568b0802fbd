package carillon.node;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;

/** Test of the key rotation on a Redis Cluster, with secrets on each of its masters. */
class ClusterRotationTest extends RotationTest {
  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }
}
