package carillon.engine;

import carillon.config.Settings;
import carillon.job.Precondition;
import carillon.job.collection.CollectionDefinition;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Fixture of a single node on the real Redis, with a real target and with time as an input. */
@Tag("redis")
abstract class EngineFixture {
  static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  final TestClock clock = new TestClock(begin());
  CallbackServer target;
  Engine engine;

  /** Returns the Redis to run on: the same tests pass on every topology. */
  TestRedis redis() {
    return RedisServer.shared();
  }

  /** Returns the first instant of the clock. */
  Instant begin() {
    return NOON;
  }

  /** Returns the settings of the node. Its own heartbeats practically never happen. */
  Settings settings() {
    return EngineSettings.with();
  }

  @BeforeEach
  final void startEngine() {
    redis().flush();
    target = new CallbackServer();
    engine = new Engine(redis().setup(), "node", clock, settings());
  }

  @AfterEach
  final void stopEngine() {
    engine.close();
    target.close();
  }

  JobJson job() {
    return JobJson.post(target.url("/call")).body("hello");
  }

  JobJson job(String start) {
    return job().startTime(start);
  }

  String once(String start) {
    return job(start).json();
  }

  String every(String start, String recurrence) {
    return job(start).recurrence(recurrence).json();
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }

  /** Creates or changes the default collection. */
  void putCollection(CollectionDefinition definition) {
    engine.stores(
        stores ->
            stores
                .collection()
                .collections()
                .put(Engine.COLLECTION, definition, Precondition.NONE, clock.instant()));
  }

  /** Enables or disables the default collection. */
  void set(CollectionDefinition.State state) {
    putCollection(plain(state));
  }

  /** Returns settings with only the state. */
  static CollectionDefinition plain(CollectionDefinition.State state) {
    return new CollectionDefinition(
        Optional.empty(), Map.of(), Optional.empty(), state, Optional.empty());
  }
}
