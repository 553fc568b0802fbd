package carillon.engine;

import carillon.support.RedisSentinels;
import carillon.support.TestRedis;

/** Everything that the engine does, on a master that Sentinels watch. */
class SentinelEngineTest extends EngineTest {
  @Override
  TestRedis redis() {
    return RedisSentinels.shared();
  }
}
