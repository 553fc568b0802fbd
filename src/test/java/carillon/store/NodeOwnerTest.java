package carillon.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.Engine;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test that a single process has the id of a node. */
@Tag("redis")
class NodeOwnerTest {
  private static final Duration TTL = Duration.ofMinutes(1);

  private Engine engine;

  @BeforeEach
  void start() {
    RedisServer.shared().flush();
    engine = new Engine(RedisServer.shared(), "other", new TestClock(Instant.now()));
    engine.redis(Command.DEL, "carillon:owner:{carillon:nodes}:other");
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private String own(String life, long beat, String seen) {
    return engine.stores(s -> s.node().nodes().own(life, beat, TTL, seen));
  }

  @Test
  void ofTwoThatStartTogetherTheSecondSeesTheFirstMoveOn() {
    assertEquals("", own("first", 0, ""));
    String holder = own("second", 0, "");
    assertEquals("first 0", holder);

    assertEquals("", own("first", 1, ""));

    assertEquals("first 1", own("second", 0, holder));
  }

  @Test
  void whatAKilledProcessLeftIsTaken() {
    own("killed", 7, "");

    assertEquals("", own("next", 0, own("next", 0, "")));
  }

  @Test
  void aProcessThatWasHeldUpHasLostItsIdToAnother() {
    own("paused", 7, "");
    own("next", 0, "paused 7");

    assertEquals("next 0", own("paused", 8, ""));
  }
}
