package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.route.RedisLinkOptions;
import carillon.support.Await;
import carillon.support.EventLoopTest;
import carillon.support.RedisServer;
import carillon.support.RespProxy;
import carillon.support.TestRedis;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of connections on which Redis, or a proxy in front of it, gives unexpected replies. */
@Tag("redis")
class UnexpectedRepliesTest extends EventLoopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration IMPATIENCE = Duration.ofSeconds(1);
  private static final String NOAUTH = "-NOAUTH Authentication required.\r\n";

  private RedisServer redis;
  private RespProxy proxy;
  private RedisLink link;

  @BeforeEach
  void start() {
    redis = RedisServer.startWithPort();
    redis.ask("HSET greeting a 1 b 2");
    proxy = new RespProxy(redis.port());
  }

  @AfterEach
  void close() throws IOException {
    if (link != null) {
      on(link::close);
    }
    proxy.close();
    redis.close();
  }

  private static RedisLinkOptions setup(URI uri) {
    return setup(uri, PATIENCE);
  }

  private static RedisLinkOptions setup(URI uri, Duration deadline) {
    return TestRedis.standalone(uri, deadline, Duration.ofMillis(50));
  }

  private void open() {
    open(PATIENCE);
  }

  private void open(Duration deadline) {
    link = on(() -> RedisLink.open(vertx, setup(proxy.uri(), deadline)));
  }

  private Response send(Command command, String... arguments) {
    Request request = Request.cmd(command);
    List.of(arguments).forEach(request::arg);
    return on(() -> link.send(request));
  }

  /** Whether a hash is answered in the form of RESP3. */
  private boolean isRight() {
    try {
      return send(Command.HGETALL, "greeting").getKeys().size() == 2
          && send(Command.HGET, "greeting", "b").toString().equals("2");
    } catch (JobException e) {
      assertEquals(ErrorCode.STORE_UNAVAILABLE, e.code());
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HELLO | -NOAUTH HELLO must be called with the client already authenticated",
        "HELLO | -WRONGPASS invalid username-password pair or user is disabled.",
        "HELLO | -ERR unknown command 'HELLO'",
        "HELLO | -LOADING Redis is loading the dataset in memory",
        "HELLO | +OK",
        "HELLO | *4",
        "ROLE | :1",
        "ROLE | +OK",
        "PING | +PONG",
        "SELECT | -ERR DB index is out of range"
      })
  void aHandshakeThatIsAnsweredStrangelyIsRepeated(String command, String answer) {
    String strange =
        answer.equals("*4") ? "*4\r\n+server\r\n+redis\r\n+proto\r\n:2\r\n" : answer + "\r\n";
    URI database = URI.create(proxy.uri() + "/0");
    link = on(() -> RedisLink.open(vertx, setup(database)));

    proxy.tamper((name, genuine) -> name.equals(command) ? strange : genuine.get());
    int before = proxy.connections();
    proxy.cut();
    Await.until("three more attempts", () -> proxy.connections() >= before + 3);
    proxy.tamper(RespProxy.NONE);

    Await.until("right replies", this::isRight);
  }

  @Test
  void aFirstHelloThatIsRefusedLeavesNoConnectionOfAnOlderProtocol() {
    open();
    AtomicInteger refused = new AtomicInteger();
    proxy.tamper(
        (name, genuine) ->
            name.equals("HELLO") && refused.getAndIncrement() % 2 == 0 ? NOAUTH : genuine.get());

    proxy.cut();

    Await.until("right replies", this::isRight);
  }

  @ParameterizedTest
  @ValueSource(strings = {"additional", "missing", "exchanged"})
  void repliesThatNoLongerMatchTheirCommandsEndTheConnection(String fault) {
    open(fault.equals("missing") ? IMPATIENCE : PATIENCE);
    AtomicInteger left = new AtomicInteger(1);
    proxy.tamper(
        (name, genuine) -> {
          String reply = genuine.get();
          if (!name.equals("HGET") || left.getAndDecrement() <= 0) {
            return reply;
          }
          return switch (fault) {
            case "additional" -> "$1\r\n7\r\n" + reply;
            case "missing" -> "";
            default -> ":1\r\n";
          };
        });
    int before = proxy.connections();

    for (int i = 0; i < 4; i++) {
      link.send(Request.cmd(Command.HGET).arg("greeting").arg("b"));
    }

    Await.until("another connection", () -> proxy.connections() > before);
    Await.until("right replies", this::isRight);
  }

  @Test
  void aMessageThatNobodyAskedForEndsTheConnection() {
    open();
    int before = proxy.connections();
    proxy.tamper(
        (name, genuine) ->
            genuine.get() + (name.equals("HGET") ? ">2\r\n+invalidate\r\n*1\r\n+k\r\n" : ""));

    send(Command.HGET, "greeting", "b");
    proxy.tamper(RespProxy.NONE);

    Await.until("another connection", () -> proxy.connections() > before);
    Await.until("right replies", this::isRight);
  }

  @Test
  void aReplyOfAnotherTypeIsUnavailable() {
    open();
    proxy.tamper(
        (name, genuine) -> {
          String unused = genuine.get();
          return name.equals("TIME") ? "+OK\r\n" : ":1\r\n";
        });

    JobException failure = assertThrows(JobException.class, () -> send(Command.TIME));

    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
    proxy.tamper(RespProxy.NONE);
    Await.until("right replies", this::isRight);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OOM command not allowed when used memory > 'maxmemory'. | maxmemory",
        "READONLY You can't write against a read only replica. | is a replica",
        "LOADING Redis is loading the dataset in memory | still loads its data",
        "MISCONF Redis is configured to save RDB snapshots | cannot save its data",
        "NOREPLICAS Not enough good replicas to write. | min-replicas-to-write",
        "BUSY Redis is busy running a script. | script has kept Redis busy",
        "NOAUTH Authentication required. | requires a password",
        "ERR max number of clients reached | as maxclients allows",
        "NOPERM this user has no permissions to run this command | lacks a right"
      })
  void anErrorThatPassesNamesItsCause(String error, String cause) {
    open();
    proxy.tamper(
        (name, genuine) -> {
          String unused = genuine.get();
          return name.equals("TIME") ? "-" + error + "\r\n" : unused;
        });

    JobException failure = assertThrows(JobException.class, () -> send(Command.TIME));

    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
    assertTrue(failure.getMessage().contains(cause), failure::getMessage);
    assertTrue(failure.getMessage().endsWith(": " + error), failure::getMessage);
  }

  @Test
  void aPasswordThatIsSetAndTakenAwayAgainDoesNoHarm() {
    open();

    redis.ask("CONFIG SET requirepass secret");
    int before = proxy.connections();
    proxy.cut();
    Await.until("attempts without the password", () -> proxy.connections() >= before + 3);
    JobException failure = assertThrows(JobException.class, () -> send(Command.TIME));
    redis.ask("AUTH secret\r\nCONFIG SET requirepass \"\"");

    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
    assertTrue(
        failure.getMessage().startsWith("Redis is not connected: Redis requires a password"),
        failure::getMessage);
    Await.until("right replies", this::isRight);
  }

  @Test
  void aUserThatIsSwitchedOffWhileTheLinkReconnectsComesBack() {
    redis.ask("ACL SETUSER worker on >pass ~* +@all");
    link =
        on(
            () ->
                RedisLink.open(
                    vertx,
                    setup(URI.create(proxy.uri().toString().replace("//", "//worker:pass@")))));

    redis.ask("ACL DELUSER worker");
    int before = proxy.connections();
    proxy.cut();
    Await.until("attempts", () -> proxy.connections() >= before + 3);
    redis.ask("ACL SETUSER worker on >pass ~* +@all");

    Await.until("right replies", this::isRight);
  }
}
