package carillon.api;

import carillon.job.attempt.HistoryEntry;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/**
 * Base of tests with the API and the engine as two nodes on one Redis, each with a clock that the
 * test moves.
 */
@Tag("redis")
abstract class WithEngine {
  static final String J = "/jobcollections/default/jobs/j";
  @AutoClose static CallbackServer target;

  final TestClock clock = new TestClock(at("11:00:00"));
  @AutoClose ApiServer api;
  @AutoClose Engine engine;

  @BeforeAll
  static void startTarget() {
    target = new CallbackServer();
  }

  @BeforeEach
  void start() {
    target.forget();
    target.answer(200);
    api = new ApiServer();
    api.moveTo(at("12:00:00"));
    api.put("/jobcollections/default", "{}");
    clock.set(at("12:00:00"));
    engine = new Engine(RedisServer.shared(), "node", clock);
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }

  /** Returns a job that calls the target. */
  static JobJson job() {
    return JobJson.post(target.url("/call"));
  }

  /** Returns such a job that runs once. */
  static String job(Instant start) {
    return job().startTime(start).json();
  }

  List<HistoryEntry> skipped() {
    return engine.history("j").stream()
        .filter(entry -> entry.status() == HistoryEntry.Status.SKIPPED)
        .toList();
  }

  /** Claims the attempts due at an instant, as a node that is then blocked. */
  void claim(Instant now) {
    int partition = Engine.KEYS.partition(Engine.name("j").key());
    engine.freeze();
    engine.stores(
        stores -> stores.attempt().claims().claim(partition, now.toEpochMilli(), now, 10));
  }
}
