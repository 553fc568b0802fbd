package carillon.store.job;

import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Fixture of the stores of one node on an empty Redis, at noon. */
@Tag("redis")
abstract class StoreFixture {
  Engine engine;

  @BeforeEach
  final void start() {
    RedisServer.shared().flush();
    engine =
        new Engine(RedisServer.shared(), "a", new TestClock(Instant.parse("2026-11-20T12:00:00Z")));
  }

  @AfterEach
  final void stop() {
    engine.close();
  }
}
