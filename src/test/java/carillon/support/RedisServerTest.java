package carillon.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class RedisServerTest {

  @Test
  void theSharedOneIsOneAndCanBeFlushed() {
    RedisServer redis = RedisServer.shared();
    redis.ask("SET a 1");

    redis.flush();

    assertEquals(":0", redis.ask("DBSIZE"));
    assertSame(redis, RedisServer.shared());
  }

  @Test
  void dataAndAddressSurviveKillAndRestart() {
    try (RedisServer redis = RedisServer.start()) {
      URI before = redis.uri();
      redis.ask("INCR n");

      redis.kill9();
      redis.restart();

      assertEquals(":2", redis.ask("INCR n"));
      assertEquals(before, redis.uri());
    }
  }

  @Test
  void aPausedOneAnswersWhenItIsResumed() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.pause();

      CompletableFuture<String> reply = CompletableFuture.supplyAsync(() -> redis.ask("PING"));
      assertThrows(TimeoutException.class, () -> reply.get(200, TimeUnit.MILLISECONDS));
      redis.resume();

      assertEquals("+PONG", reply.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void aPausedOneCanBeClosed() {
    RedisServer redis = RedisServer.start();
    redis.pause();

    redis.close();

    assertEquals(false, ProcessHandle.of(redis.pid()).isPresent());
  }

  @Test
  void itListensOnALoopbackPortWhenAskedTo() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (RedisServer redis = RedisServer.startWithPort("timeout 100")) {
      Redis client = Redis.createClient(vertx, redis.tcpUri().toString());

      String reply = client.send(Request.cmd(Command.PING)).await(30, TimeUnit.SECONDS).toString();

      assertEquals("PONG", reply);
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }
}
