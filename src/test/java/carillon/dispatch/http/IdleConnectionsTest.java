package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.AttemptResult;
import carillon.job.action.HttpCall;
import carillon.support.Await;
import carillon.support.TestClock;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of idle connections to targets between calls. */
class IdleConnectionsTest {
  private static final int IN_FLIGHT = 3;

  private final Vertx vertx = Vertx.vertx();
  private final Vertx servers = Vertx.vertx();
  private final TestClock clock = new TestClock(Instant.parse("2026-11-20T12:00:00Z"));
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Context loop = vertx.getOrCreateContext();
  private HttpInvoker invoker;

  @BeforeEach
  void start() {
    DispatchSettings dispatch =
        new DispatchSettings(
            IN_FLIGHT,
            IN_FLIGHT,
            Duration.ofSeconds(25),
            Duration.ofHours(1),
            2000,
            "local",
            5,
            "",
            false);
    Promise<HttpInvoker> made = Promise.promise();
    loop.runOnContext(go -> made.complete(PlainHttp.invoker(vertx, clock, dispatch)));
    invoker = Await.result(made.future());
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
    Await.result(servers.close());
  }

  /** Starts a target that offers to keep connections for an hour. */
  private int target() {
    return Await.result(
            servers
                .createHttpServer()
                .connectionHandler(
                    connection -> {
                      open.add(connection);
                      connection.closeHandler(closed -> open.remove(connection));
                    })
                .requestHandler(
                    request ->
                        request.response().putHeader("Keep-Alive", "timeout=3600").end("here"))
                .listen(0, "127.0.0.1"))
        .actualPort();
  }

  private void call(int port) {
    HttpCall call =
        new HttpCall(
            false, "http://127.0.0.1:" + port + "/", "POST", Map.of(), Optional.of("body"));
    Promise<AttemptResult> done = Promise.promise();
    loop.runOnContext(
        go -> invoker.invoke(Caller.RUN, "C/J", call, Caller.DEFAULT, () -> {}).onComplete(done));
    assertTrue(Await.result(done.future()).succeeded());
  }

  @Test
  void noMoreAreKeptThanTwiceTheCallsInFlight() {
    for (int i = 0; i < 4 * IN_FLIGHT; i++) {
      call(target());
    }

    Await.until("the end of the surplus", () -> open.size() <= 2 * IN_FLIGHT);
    assertEquals(2 * IN_FLIGHT, open.size());
  }

  @Test
  void aConnectionIsUsedAgainAndGoesAfterTenSecondsWhateverTheTargetSays() {
    int port = target();
    call(port);
    clock.advance(Duration.ofSeconds(9));
    call(port);

    assertEquals(1, open.size());
    clock.advance(Duration.ofSeconds(10));
    Await.until("its end", open::isEmpty);
  }
}
