package carillon.engine;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;

/**
 * Test of the remains of deleted collections in a Redis Cluster, where they are stored apart from
 * their jobs.
 */
class ClusterCollectionRemainsTest extends CollectionRemainsTest {
  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }
}
