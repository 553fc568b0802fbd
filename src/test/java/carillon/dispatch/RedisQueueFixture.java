package carillon.dispatch;

import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Base of tests with an engine whose jobs fill streams and lists in Redis. */
@Tag("redis")
abstract class RedisQueueFixture {
  static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");
  static final String STREAM = "carillon-queue:{default}/orders";

  final RedisServer redis = RedisServer.shared();
  final TestClock clock = new TestClock(T0);
  Engine engine;

  @BeforeEach
  void start() {
    redis.flush();
    engine = new Engine(redis, "n1", clock);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  static String json(String text) {
    return text.replace('`', '"');
  }

  void put(String job, String action) {
    engine.put(job, json("{`action`:" + action + "}"));
    engine.step();
  }

  static String stream(String more) {
    return "{`type`:`redisStream`,`redisStream`:{`stream`:`orders`,`message`:`m`" + more + "}}";
  }

  static String list(String side, int maxLength) {
    return "{`type`:`redisList`,`redisList`:{`list`:`orders`,`message`:`m`,`side`:`"
        + side
        + "`,`maxLength`:"
        + maxLength
        + "}}";
  }

  String message(String job) {
    return engine.history(job).get(0).message();
  }

  static String listNamed(String name, String message) {
    return "{`type`:`redisList`,`redisList`:{`list`:`"
        + name
        + "`,`message`:`"
        + message
        + "`},`retryPolicy`:{`retryType`:`none`}}";
  }
}
