package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.RedisSettings.Durability;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.Await;
import carillon.support.EventLoopTest;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a server without the required durability level is not used. */
@Tag("redis")
class DurabilityTest extends EventLoopTest {
  private static final String KEY = "carillon:{1}:due";
  private RedisServer redis;

  @BeforeEach
  void start() {
    redis = RedisServer.startWithPort();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  private RedisLink open(Durability level) {
    return open(level, "", "");
  }

  private RedisLink open(Durability level, String user, String password) {
    return open(level, user, password, Duration.ofSeconds(20));
  }

  private RedisLink open(Durability level, String user, String password, Duration deadline) {
    RedisLinkOptions setup =
        TestRedis.with(
            "uri=" + redis.tcpUri(),
            "user=" + user,
            "password=" + password,
            "durability=" + level,
            "commandTimeout=" + deadline,
            "reconnectMax=50ms");
    return on(() -> RedisLink.open(vertx, setup.confirming()));
  }

  private Future<Response> set(RedisLink link) {
    return link.send(Request.cmd(Command.SET).arg(KEY).arg("x"));
  }

  private static void assertUnavailable(Runnable step) {
    JobException refusal = assertThrows(JobException.class, step::run);
    assertEquals(ErrorCode.STORE_UNAVAILABLE, refusal.code());
  }

  @ParameterizedTest
  @CsvSource({
    "everysec, no, everysec, it has appendonly no",
    "everysec, yes, no, it has appendfsync no",
    "fsync, yes, everysec, it has appendfsync everysec",
    "replica, yes, everysec, it has appendfsync everysec",
    "replica, yes, always, it has min-replicas-to-write 0"
  })
  void aServerThatDoesNotGiveTheLevelIsNotUsed(
      String level, String appendOnly, String fsync, String reason) {
    redis.ask("CONFIG SET appendonly " + appendOnly);
    redis.ask("CONFIG SET appendfsync " + fsync);

    JobException refusal =
        assertThrows(
            JobException.class,
            () -> open(Durability.valueOf(level.toUpperCase(java.util.Locale.ROOT))));

    assertEquals(
        "it cannot give redis.durability = " + level + ": " + reason, refusal.getMessage());
    on(open(Durability.ANY)::close);
  }

  @ParameterizedTest
  @CsvSource({"EVERYSEC, everysec", "EVERYSEC, always", "FSYNC, always"})
  void aServerThatGivesTheLevelIsUsed(Durability level, String fsync) {
    redis.ask("CONFIG SET appendfsync " + fsync);

    RedisLink link = open(level);

    assertEquals("OK", on(() -> set(link)).toString());
    on(link::close);
  }

  @Test
  void aServerThatGivesLessAfterItsRestartIsLeftAlone() {
    redis.ask("CONFIG SET appendfsync always");
    RedisLink link = open(Durability.FSYNC);

    redis.kill9();
    redis.restart(); // with the appendfsync of its configuration
    Await.until("the loss", () -> !link.isUp());

    assertUnavailable(() -> on(() -> set(link)));
    redis.ask("CONFIG SET appendfsync always");
    Await.until("the return", link::isUp);
    on(link::close);
  }

  @Test
  void aUserThatMayNotSeeTheSettingsIsTold() {
    redis.ask("ACL SETUSER blind on >pw ~* +@all -config");

    JobException refusal =
        assertThrows(JobException.class, () -> open(Durability.FSYNC, "blind", "pw"));

    assertTrue(refusal.getMessage().contains("allow CONFIG GET"), refusal.getMessage());
    on(open(Durability.ANY, "blind", "pw")::close);
  }

  private RedisServer replica() {
    RedisServer replica = RedisServer.startWithPort("repl-diskless-sync-delay 0");
    redis.ask("CONFIG SET appendfsync always");
    redis.ask("CONFIG SET min-replicas-to-write 1");
    redis.ask("CONFIG SET min-replicas-max-lag 600"); // a busy machine is slow
    redis.ask("CONFIG SET repl-diskless-sync-delay 0");
    replica.ask("REPLICAOF 127.0.0.1 " + redis.port());
    Await.until("replication", () -> redis.list("INFO replication").get(0).contains("online"));
    return replica;
  }

  @Test
  void aChangeIsAnsweredWhenAReplicaHasItAndRefusedWhenNoneDoes() {
    try (RedisServer replica = replica()) {
      RedisLink link = open(Durability.REPLICA);
      RedisLink impatient = open(Durability.REPLICA, "", "", Duration.ofSeconds(1));
      assertEquals("OK", on(() -> set(link)).toString());

      replica.pause();
      assertUnavailable(() -> on(() -> set(impatient)));
      assertEquals("x", on(() -> link.send(Request.cmd(Command.GET).arg(KEY))).toString());
      replica.resume();

      assertEquals("OK", on(() -> set(link)).toString());
      on(impatient::close);
      on(link::close);
    }
  }

  @Test
  void aChangeWhoseConnectionIsLostIsNotTakenForConfirmed() {
    try (RedisServer replica = replica()) {
      RedisLink link = open(Durability.REPLICA);
      on(() -> set(link));
      replica.pause();

      Future<Response> change = begin(() -> set(link));
      Await.until(
          "the change", () -> redis.list("INFO clients").get(0).contains("blocked_clients:1"));
      redis.ask("CLIENT KILL TYPE normal SKIPME yes");

      assertUnavailable(() -> Await.result(change));
      replica.resume();
      Await.until("the return", link::isUp);
      on(link::close);
    }
  }

  @Test
  void confirmationsAreSharedByThoseWhoWait() {
    try (RedisServer replica = replica()) {
      RedisLink link = open(Durability.REPLICA);
      on(() -> set(link));
      long before = calls("wait");

      List<Future<Response>> changes =
          on(
              () ->
                  Future.succeededFuture(
                      IntStream.range(0, 1000).mapToObj(i -> set(link)).toList()));
      changes.forEach(Await::result);

      assertTrue(calls("wait") - before < 100, () -> calls("wait") - before + " of 1000");
      on(link::close);
      assertTrue(replica.pid() > 0);
    }
  }

  private long calls(String command) {
    return redis
        .list("INFO commandstats")
        .get(0)
        .lines()
        .filter(line -> line.startsWith("cmdstat_" + command + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
        .sum();
  }
}
