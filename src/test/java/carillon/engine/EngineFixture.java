package carillon.engine;

import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import carillon.support.TestRedis;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One node on the real Redis, with a real target, and with time as an input. */
abstract class EngineFixture {
  static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  static CallbackServer target;

  final TestClock clock = new TestClock(NOON);
  Engine engine;

  /** The Redis to run on: the same tests pass on every topology. */
  TestRedis redis() {
    return RedisServer.shared();
  }

  @BeforeAll
  static void startTarget() {
    target = new CallbackServer();
  }

  @AfterAll
  static void stopTarget() {
    target.close();
  }

  @BeforeEach
  void start() {
    redis().flush();
    target.forget();
    target.answer(200);
    engine = new Engine(redis().setup(), "node", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  static JobJson job() {
    return JobJson.post(target.url("/call")).body("hello");
  }

  static JobJson job(String start) {
    return job().startTime(start);
  }

  static String once(String start) {
    return job(start).json();
  }

  static String every(String start, String recurrence) {
    return job(start).recurrence(recurrence).json();
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }
}
