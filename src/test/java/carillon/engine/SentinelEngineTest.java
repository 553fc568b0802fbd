package carillon.engine;

import carillon.support.RedisSentinels;
import carillon.support.TestRedis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** All tests of the engine on a master that Sentinels watch. */
@Tag("redis")
class SentinelEngineTest {
  @Nested
  class Schedules extends EngineScheduleTest {
    @Override
    TestRedis redis() {
      return RedisSentinels.shared();
    }
  }

  @Nested
  class Retries extends EngineRetryTest {
    @Override
    TestRedis redis() {
      return RedisSentinels.shared();
    }
  }

  @Nested
  class Claims extends EngineClaimTest {
    @Override
    TestRedis redis() {
      return RedisSentinels.shared();
    }
  }
}
