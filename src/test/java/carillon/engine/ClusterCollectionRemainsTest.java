package carillon.engine;

import carillon.support.RedisCluster;
import carillon.support.TestRedis;

/**
 * What deleted collections leave behind in a Redis Cluster, where they live apart from their jobs.
 */
class ClusterCollectionRemainsTest extends CollectionRemainsTest {
  @Override
  TestRedis redis() {
    return RedisCluster.shared();
  }
}
