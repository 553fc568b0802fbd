package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.attempt.HistoryEntry.CallError;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import carillon.support.Await;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the HTTP version of calls, and of the number of concurrent calls. */
class HttpsTargetTest extends TlsTargetFixture {
  @Test
  void httpsTargetsChooseTheVersion() {
    Consumer<HttpServerRequest> handler =
        request -> {
          seen.add(request.version() + " " + request.getHeader("Upgrade"));
          request.response().end();
        };
    String both = serve(handler);
    String old =
        serve(new HttpServerOptions().setAlpnVersions(List.of(HttpVersion.HTTP_1_1)), handler);
    int plain =
        Await.result(
                vertx.createHttpServer().requestHandler(handler::accept).listen(0, "127.0.0.1"))
            .actualPort();

    for (String uri : List.of(both, old, "http://127.0.0.1:" + plain + "/")) {
      assertTrue(caller.make(Caller.call(uri, null)).succeeded());
    }

    assertEquals(List.of("HTTP_2 null", "HTTP_1_1 null", "HTTP_1_1 null"), seen);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 20, 2000})
  void aStatusOfHttp2HasThreeDigits(int status) {
    String uri = serve(request -> request.response().setStatusCode(status).end());

    AttemptResult result = caller.make(Caller.call(uri, null));

    assertEquals(
        new CallError(
            ErrorKind.ANSWER,
            "the answer is not valid HTTP: its status code is not three digits from 100 to 999"),
        result.call().error().orElseThrow());
  }

  private static void answer(Queue<HttpServerRequest> open) {
    for (HttpServerRequest one = open.poll(); one != null; one = open.poll()) {
      one.response().end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_2", "HTTP_1_1"})
  void noMoreCallsAreMadeAtOnceThanADestinationMayHave(HttpVersion version) {
    Queue<HttpServerRequest> open = new ConcurrentLinkedQueue<>();
    AtomicInteger most = new AtomicInteger();
    Map<Object, Boolean> connections = new ConcurrentHashMap<>();
    String uri =
        serve(
            new HttpServerOptions().setAlpnVersions(List.of(version)),
            request -> {
              assertEquals(version, request.version());
              connections.put(request.connection(), true);
              open.add(request);
              most.accumulateAndGet(open.size(), Math::max);
              // No call is answered before ten are open, however long their handshakes take.
              if (open.size() == 10) {
                vertx.setTimer(20, id -> answer(open));
              }
            });

    List<AttemptResult> results = caller.make(Caller.call(uri, null), 60);

    results.forEach(result -> assertTrue(result.succeeded(), result.message()));
    assertEquals(10, most.get());
    assertEquals(10, connections.size());
  }
}
