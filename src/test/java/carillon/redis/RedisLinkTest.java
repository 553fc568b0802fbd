package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.redis.route.RedisErrors;
import carillon.redis.route.RedisLinkOptions;
import carillon.redis.route.RedisLinkOptions.Patience;
import carillon.support.Await;
import carillon.support.EventLoopTest;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the link on a Redis that is killed, frozen, demoted or emptied. */
@Tag("redis")
class RedisLinkTest extends EventLoopTest {
  private static final LuaScript ECHO =
      new LuaScript("echo", "return ARGV[1]", "098e0f0d1448c0a81dafe820f66d460eb09263da", false);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration IMPATIENCE = Duration.ofMillis(300);

  private RedisServer redis;
  private RedisLink link;

  @BeforeEach
  void open() {
    redis = RedisServer.start();
    link = on(() -> RedisLink.open(vertx, setup(redis.uri(), PATIENCE)));
  }

  private static RedisLinkOptions setup(URI uri, Duration deadline) {
    return TestRedis.standalone(uri, deadline, Duration.ofMillis(50));
  }

  /**
   * Shortens the patience before Redis is frozen. On a busy machine, Redis may be late before that,
   * too.
   */
  private void becomeImpatient() {
    on(link::close);
    link = on(() -> RedisLink.open(vertx, setup(redis.uri(), IMPATIENCE)));
    Await.until("an answer", this::isAnswered);
  }

  private boolean isAnswered() {
    try {
      return ping().toString().equals("PONG");
    } catch (JobException e) {
      assertEquals(ErrorCode.STORE_UNAVAILABLE, e.code());
      return false;
    }
  }

  @AfterEach
  void close() {
    on(link::close);
    redis.close();
  }

  private Response ping() {
    return on(() -> link.send(Request.cmd(Command.PING)));
  }

  private void assertUnavailable(Supplier<Future<Response>> step) {
    JobException failure = assertThrows(JobException.class, () -> on(step));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
  }

  @Test
  void aScriptThatRedisHasForgottenIsSentAgain() {
    assertEquals("a", on(() -> link.eval(ECHO, List.of(), List.of("a"))).toString());

    redis.ask("SCRIPT FLUSH");

    assertEquals("b", on(() -> link.eval(ECHO, List.of(), List.of("b"))).toString());
  }

  @Test
  void aStartWithPatienceWaitsForRedisToOpenALinkAndToGoOn() {
    RedisLinkOptions patient = setup(redis.uri(), PATIENCE).waiting(() -> Patience.ENDLESS);
    RedisLink other = on(() -> RedisLink.open(vertx, patient));
    redis.kill9();
    Future<RedisLink> opened = begin(() -> RedisLink.open(vertx, patient));
    Future<Response> step =
        begin(() -> other.persistAtStart(() -> other.send(Request.cmd(Command.PING))));

    redis.restart();

    assertEquals("PONG", Await.result(step).toString());
    on(Await.result(opened)::close);
    on(other::close);
  }

  @Test
  void aStartThatIsToldToStopNoLongerWaitsForRedis() {
    AtomicReference<Patience> patience = new AtomicReference<>(Patience.ENDLESS);
    RedisLinkOptions patient = setup(redis.uri(), PATIENCE).waiting(patience::get);
    redis.kill9();
    Future<RedisLink> opened = begin(() -> RedisLink.open(vertx, patient));

    patience.set(Patience.NONE);

    JobException failure = assertThrows(JobException.class, () -> Await.result(opened));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
  }

  @Test
  void aFrozenRedisFailsEveryCommandWithinTheDeadlineAndComesBack() {
    becomeImpatient();
    redis.pause();

    assertUnavailable(() -> link.send(Request.cmd(Command.PING)));
    assertFalse(link.isUp());
    assertUnavailable(() -> link.send(Request.cmd(Command.PING)));
    redis.resume();

    Await.until("reconnected", () -> link.isUp());
    Await.until("an answer", this::isAnswered);
  }

  /** Returns how often Redis has performed ECHO. */
  private long echoes() {
    return Pattern.compile("cmdstat_echo:calls=(\\d+)")
        .matcher(redis.list("INFO commandstats").get(0))
        .results()
        .mapToLong(calls -> Long.parseLong(calls.group(1)))
        .sum();
  }

  @Test
  void anEventLoopThatWasHeldUpReadsRepliesBeforeItGivesUp() {
    becomeImpatient();

    Response reply =
        on(
            () -> {
              long before = echoes();
              Future<Response> sent = link.send(Request.cmd(Command.ECHO).arg("PONG"));
              Await.until("the reply", () -> echoes() > before);
              LockSupport.parkNanos(IMPATIENCE.multipliedBy(2).toNanos());
              return sent;
            });

    assertEquals("PONG", reply.toString());
    assertTrue(link.isUp());
  }

  @Test
  void aRedisThatIsSilentAtTheStartIsAskedAgainForAWhile() {
    redis.pause();
    CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS).execute(redis::resume);

    becomeImpatient();
  }

  @Test
  void aKilledRedisIsFoundAgainAfterItsRestart() {
    ping();

    redis.kill9();
    Await.until("loss noticed", () -> !link.isUp());
    redis.restart();

    Await.until("reconnected", () -> link.isUp());
    assertEquals("PONG", ping().toString());
  }

  @Test
  void aPersistentStepIsAnsweredAfterAnOutage() {
    ping();
    redis.kill9();
    Future<Response> answer = begin(() -> link.persist(() -> link.send(Request.cmd(Command.PING))));

    redis.restart();

    assertEquals("PONG", Await.result(answer).toString());
  }

  /** The step fails as often as in an outage of an hour. */
  @Test
  void aPersistentStepMayFailThousandsOfTimes() {
    RedisLinkOptions restless = TestRedis.standalone(redis.uri(), PATIENCE, Duration.ofMillis(10));
    RedisLink other = on(() -> RedisLink.open(vertx, restless));
    AtomicInteger failures = new AtomicInteger();

    Future<Response> answer =
        begin(
            () ->
                other.persist(
                    () ->
                        failures.incrementAndGet() <= 3000
                            ? Future.failedFuture(RedisErrors.unavailable("away"))
                            : other.send(Request.cmd(Command.PING))));

    assertEquals("PONG", Await.result(answer).toString());
    on(other::close);
  }

  @Test
  void aReplicaIsNotUsed() {
    redis.ask("REPLICAOF 127.0.0.1 1");

    assertUnavailable(
        () ->
            RedisLink.open(vertx, setup(redis.uri(), PATIENCE))
                .compose(other -> other.send(Request.cmd(Command.PING))));
  }

  @Test
  void aPassingErrorIsUnavailableAndAMistakeIsNot() {
    redis.ask("CONFIG SET maxmemory 1");
    assertUnavailable(() -> link.send(Request.cmd(Command.SET).arg("k").arg("v")));
    redis.ask("CONFIG SET maxmemory 0");
    on(() -> link.send(Request.cmd(Command.SET).arg("k").arg("v")));

    Throwable failure =
        assertThrows(
            Throwable.class,
            () -> on(() -> link.send(Request.cmd(Command.LPUSH).arg("k").arg("v"))));

    assertFalse(RedisErrors.isUnavailable(failure));
    assertTrue(RedisErrors.isWrongType(failure), String.valueOf(failure));
    assertTrue(failure.getMessage().contains("the key 'k' holds another type"));
  }

  @Test
  void anAddressWhereNobodyListensFailsAtOnce() {
    assertUnavailable(
        () ->
            RedisLink.open(vertx, setup(URI.create("redis://127.0.0.1:1"), PATIENCE))
                .compose(other -> other.send(Request.cmd(Command.PING))));
  }

  @Test
  void manyCommandsInFlightAllFailWhenRedisDies() {
    becomeImpatient();
    redis.pause();
    List<Future<Response>> sent =
        on(
            () ->
                Future.succeededFuture(
                    java.util.stream.IntStream.range(0, 1000)
                        .mapToObj(i -> link.send(Request.cmd(Command.PING)))
                        .toList()));

    sent.forEach(one -> assertThrows(JobException.class, () -> Await.result(one)));

    redis.resume();
    Await.until("reconnected", () -> link.isUp());
  }
}
