package carillon.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.support.Await;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of calls of one script that are sent together, on a real Redis. */
@Tag("redis")
class ScriptBatcherTest {
  /**
   * Counts itself, and then answers "key: argument ...". The argument 'nil' answers nothing, and
   * 'fail' an error.
   */
  private static final LuaScript NOTE =
      LuaScript.of(
          "audit_append",
          """
          redis.call('RPUSH', KEYS[1], ARGV[1])
          if ARGV[1] == 'nil' then return end
          if ARGV[1] == 'fail' then return redis.error_reply('REFUSED by the script') end
          return KEYS[1] .. '/' .. #KEYS .. ': ' .. table.concat(ARGV, ' ')
          """);

  /** Answers with the shared arguments and its own ones. The argument 'fail' fails. */
  private static final LuaScript MANY =
      LuaScript.ofMany(
          "many",
          """
          -- behind: many
          local shared = ...
          local count = 0
          return function(own)
            if own == 'fail' then error('x') end
            count = count + 1
            return shared .. '/' .. own .. '/' .. count
          end
          """);

  private static final Pattern EVALS = Pattern.compile("cmdstat_eval\\w*:calls=(\\d+)");

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private RedisServer redis;
  private RedisLink link;

  @BeforeEach
  void open() {
    redis = RedisServer.start();
    link =
        on(
            () ->
                RedisLink.open(
                    vertx,
                    TestRedis.standalone(
                        redis.uri(), Duration.ofSeconds(20), Duration.ofMillis(50))));
  }

  @AfterEach
  void close() {
    on(link::close);
    Await.result(vertx.close());
    redis.close();
  }

  private <T> T on(Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(go -> step.get().onComplete(done));
    return Await.result(done.future());
  }

  private Future<Response> call(String key, String... arguments) {
    return link.batcher(NOTE)
        .add(List.of(key), List.of(), List.of(arguments), Future::succeededFuture);
  }

  /** Returns the outcomes of calls of one turn: a reply, or a failure's text. */
  private List<String> outcomes(Supplier<List<Future<Response>>> calls) {
    return on(
        () -> {
          List<Future<Response>> made = calls.get();
          return Future.join(made)
              .<Void>mapEmpty()
              .otherwiseEmpty()
              .map(all -> made.stream().map(ScriptBatcherTest::outcome).toList());
        });
  }

  private static String outcome(Future<Response> call) {
    return call.failed() ? call.cause().getMessage() : String.valueOf(call.result());
  }

  private long scriptsRun() {
    return EVALS
        .matcher(redis.list("INFO commandstats").get(0))
        .results()
        .mapToLong(calls -> Long.parseLong(calls.group(1)))
        .sum();
  }

  @Test
  void callsOfOneTurnRunAsOneScriptAndEachHasItsOwnReply() {
    outcomes(() -> List.of(call("warm", "x"), call("warm", "y"))); // the server has the script now
    long before = scriptsRun();

    List<String> outcomes =
        outcomes(() -> List.of(call("a", "1"), call("b", "2", "3"), call("c", "nil")));

    assertEquals(List.of("a/1: 1", "b/1: 2 3", ""), outcomes);
    assertEquals(1, scriptsRun() - before);
  }

  @Test
  void oneThatFailsFailsAlone() {
    redis.ask("SET wrong x");

    List<String> outcomes =
        outcomes(
            () -> List.of(call("a", "1"), call("wrong", "2"), call("b", "fail"), call("c", "3")));

    assertEquals("a/1: 1", outcomes.get(0));
    assertTrue(outcomes.get(1).startsWith("Redis: the key 'wrong' holds"), outcomes.get(1));
    assertEquals("REFUSED by the script", outcomes.get(2));
    assertEquals("c/1: 3", outcomes.get(3));
  }

  @Test
  void whatIsCalledWhileTwoBatchesAreUnderWayIsGatheredInOrder() {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    int calls = 500;

    outcomes(
        () ->
            IntStream.range(0, calls)
                .mapToObj(i -> call("list", "" + i).onSuccess(reply -> done.add("" + i)))
                .toList());

    List<String> inOrder = IntStream.range(0, calls).mapToObj(Integer::toString).toList();
    assertEquals(inOrder, redis.list("LRANGE list 0 -1"));
    assertEquals(inOrder, done);
    long scripts = scriptsRun();
    assertTrue(scripts <= 8 + 2, "8 batches of at most 64, two sent twice: " + scripts);
  }

  @ParameterizedTest
  @CsvSource({"16, 1", "40, 2", "64, 2", "100, 2", "150, 3"})
  void aBatchTakesHalfOfWhatThereIsToDoUnlessItIsLittle(int calls, int batches) {
    outcomes(() -> List.of(call("warm", "x"), call("warm", "y"))); // the server has the script now
    long before = scriptsRun();

    outcomes(() -> IntStream.range(0, calls).mapToObj(i -> call("list", "" + i)).toList());

    assertEquals(batches, scriptsRun() - before);
  }

  private Future<Response> ofMany(String shared, String own) {
    return link.batcher(MANY)
        .add(List.of(), List.of(shared), List.of(own), Future::succeededFuture);
  }

  @Test
  void callsOfAScriptForManyThatShareArgumentsAreAGroupAndOneThatFailsIsLeftToAnother() {
    outcomes(() -> List.of(ofMany("a", "0"))); // the server has the script now
    long before = scriptsRun();

    List<String> outcomes =
        outcomes(
            () ->
                List.of(
                    ofMany("a", "1"),
                    ofMany("b", "2"),
                    ofMany("a", "fail"),
                    ofMany("b", "3"),
                    ofMany("a", "4")));

    assertEquals(List.of("a/1/1", "b/2/1", "OTHER", "b/3/2", "a/4/2"), outcomes);
    assertEquals(1, scriptsRun() - before);
  }

  @Test
  void manyBytesMakeABatchOfTheirOwn() {
    String large = "x".repeat(200 * 1024);

    List<String> outcomes =
        outcomes(() -> List.of(call("a", large), call("a", large), call("a", "1")));

    assertEquals(3, outcomes.stream().filter(reply -> reply.startsWith("a/1: ")).count());
    assertEquals(3, redis.list("LRANGE a 0 -1").size());
  }

  @Test
  void whenABatchIsLostTheOutcomeOfEachOfItsCallsIsUnknown() {
    redis.pause();
    Promise<List<String>> outcomes = Promise.promise();
    loop.runOnContext(
        go -> {
          List<Future<Response>> calls = List.of(call("a", "1"), call("a", "2"));
          Future.join(calls)
              .onComplete(
                  all ->
                      outcomes.complete(calls.stream().map(ScriptBatcherTest::outcome).toList()));
          vertx.setTimer(200, late -> redis.kill9());
        });

    List<String> lost = Await.result(outcomes.future());

    assertEquals(2, lost.size());
    lost.forEach(each -> assertTrue(each.startsWith("Redis did not answer"), each));
    JobException next = assertThrows(JobException.class, () -> on(() -> call("a", "3")));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, next.code());
  }
}
