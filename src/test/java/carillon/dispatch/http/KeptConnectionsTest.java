package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.job.action.HttpCall;
import carillon.job.attempt.HistoryEntry.CallError.ErrorKind;
import carillon.support.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of kept connections that the target ends when the next call arrives. */
class KeptConnectionsTest {
  /** Answer that asks the client to keep the connection, so that idleness does not end it. */
  private static final String OK =
      "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3600\r\nContent-Length: 2\r\n\r\nok";

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicInteger checks = new AtomicInteger();
  private volatile int allowedChecks = Integer.MAX_VALUE;
  private HttpInvoker invoker;

  @BeforeEach
  void start() {
    DispatchObserver observer =
        new DispatchObserver() {
          @Override
          public void repeated() {
            repeated.incrementAndGet();
          }
        };
    Promise<HttpInvoker> made = Promise.promise();
    loop.runOnContext(
        go ->
            made.complete(
                PlainHttp.invoker(
                    vertx,
                    InstantSource.fixed(Instant.EPOCH),
                    HttpInvokerTest.settings(Duration.ofSeconds(25), ""),
                    PlainHttp.loopback(vertx),
                    observer)));
    invoker = Await.result(made.future());
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private RawTarget answersOnceOnEachConnection() {
    return answersOnceOnEachConnection(1);
  }

  /** Answers nothing before this number of connections has a request, and all from then on. */
  private RawTarget answersOnceOnEachConnection(int together) {
    AtomicInteger asked = new AtomicInteger();
    Promise<Void> allAsked = Promise.promise();
    return new RawTarget(
        vertx,
        "127.0.0.1",
        (NetSocket socket, Integer number) -> {
          if (number == 1) {
            if (asked.incrementAndGet() == together) {
              allAsked.complete();
            }
            allAsked.future().onSuccess(all -> socket.write(OK));
          } else {
            socket.close();
          }
        });
  }

  private Future<AttemptResult> begin(RawTarget target) {
    Promise<AttemptResult> done = Promise.promise();
    HttpCall call = Caller.call(target.url(), null);
    loop.runOnContext(
        go ->
            invoker.invoke(Caller.RUN, "C/J", call, Caller.DEFAULT, this::check).onComplete(done));
    return done.future();
  }

  private void check() {
    if (checks.incrementAndGet() > allowedChecks) {
      throw new NotBegunException("the lease is over", Duration.ZERO);
    }
  }

  private AttemptResult call(RawTarget target) {
    return Await.result(begin(target));
  }

  @Test
  void aCallThatGotNoByteIsSentOnceMoreOnANewConnection() {
    RawTarget target = answersOnceOnEachConnection();

    for (int i = 0; i < 6; i++) {
      assertTrue(call(target).succeeded());
    }

    assertEquals(5, repeated.get());
    List<String> sent = target.requests();
    assertEquals(11, sent.size());
    assertEquals(
        RawTarget.header(sent.get(1), "Idempotency-Key"),
        RawTarget.header(sent.get(2), "Idempotency-Key"));
  }

  @Test
  void theRepeatTakesNoOtherKeptConnection() {
    RawTarget target = answersOnceOnEachConnection(5);
    IntStream.range(0, 5).mapToObj(i -> begin(target)).toList().forEach(Await::result);

    assertTrue(call(target).succeeded());
    assertEquals(1, repeated.get());
    assertEquals(6, target.connections());
  }

  @Test
  void aNewConnectionThatEndsIsAFailure() {
    RawTarget target = new RawTarget(vertx, "127.0.0.1", (socket, number) -> socket.close());

    AttemptResult result = call(target);

    assertEquals(ErrorKind.CLOSED, result.call().error().orElseThrow().kind());
    assertEquals(1, target.requests().size());
  }

  @Test
  void aCallIsSentNoThirdTime() {
    AtomicInteger all = new AtomicInteger();
    RawTarget target =
        new RawTarget(
            vertx,
            "127.0.0.1",
            (socket, number) -> {
              if (all.incrementAndGet() == 1) {
                socket.write(OK);
              } else {
                socket.close();
              }
            });
    call(target);

    assertFalse(call(target).succeeded());
    assertEquals(3, target.requests().size());
  }

  @Test
  void anAnswerThatBeganIsNotAskedForAgain() {
    RawTarget target =
        new RawTarget(
            vertx,
            "127.0.0.1",
            (socket, number) -> {
              if (number == 1) {
                socket.write(OK);
              } else {
                socket.write("HTTP/1.1 2").onComplete(written -> socket.close());
              }
            });
    call(target);

    assertFalse(call(target).succeeded());
    assertEquals(2, target.requests().size());
  }

  @Test
  void theLeaseIsCheckedBeforeTheRepeat() {
    RawTarget target = answersOnceOnEachConnection();
    call(target);
    allowedChecks = checks.get() * 2;

    Future<AttemptResult> second = begin(target);
    Await.until("its end", second::isComplete);

    assertTrue(second.cause() instanceof NotBegunException, String.valueOf(second));
    assertEquals(2, target.requests().size());
  }

  /**
   * Starts a target that sends extra bytes after each answer, and fails the second call of a
   * connection.
   */
  private RawTarget sendsSurplus(String surplus) {
    return new RawTarget(
        vertx,
        "127.0.0.1",
        (socket, number) -> socket.write(number == 1 ? OK + surplus : "HTTP/1.1 500 No\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nX-Smuggled: ",
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "!",
        "\r\n",
        "LONG"
      })
  void bytesBehindAnAnswerAreNotPartOfTheNext(String surplus) {
    RawTarget target = sendsSurplus(surplus.replace("LONG", "x".repeat(9000)));

    List<AttemptResult> results = List.of(call(target), call(target));

    results.forEach(
        result ->
            assertTrue(
                result.message().endsWith("Headers: Keep-Alive: timeout=3600\r\n Body: ok"),
                result.message()));
    assertEquals(2, target.connections());
    assertEquals(0, repeated.get());
  }

  @Test
  void aCallThatWaitsForAConnectionGetsNoneWithBytesLeft() {
    RawTarget target = sendsSurplus("HTTP/1.1 200 OK\r\nX-Smuggled: ".repeat(200));

    Caller caller =
        new Caller(vertx, InstantSource.system(), "", URI.create("https://login.example"));

    caller
        .make(Caller.call(target.url(), null), 30)
        .forEach(result -> assertTrue(result.succeeded(), result.message()));

    assertEquals(30, target.connections());
  }

  @Test
  void aBodyLongerThanItSaysDoesNotSpoilTheNextCall() {
    String body = "{\"grad\":\"gr\u00fc\u00dfe\"}";
    int characters = body.length();
    RawTarget target =
        new RawTarget(
            vertx,
            "127.0.0.1",
            (socket, number) ->
                socket.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: " + characters + "\r\n\r\n" + body));

    assertTrue(call(target).succeeded());
    assertTrue(call(target).succeeded());
    assertEquals(0, repeated.get());
    assertEquals(2, target.requests().size());
  }

  @Test
  void bytesOnAnIdleConnectionEndIt() {
    List<NetSocket> open = new CopyOnWriteArrayList<>();
    RawTarget target =
        new RawTarget(
            vertx,
            "127.0.0.1",
            (socket, number) -> {
              open.add(socket);
              socket.closeHandler(closed -> open.remove(socket));
              socket.write(OK);
            });
    call(target);

    open.get(0).write("H");
    Await.until("the end", open::isEmpty);

    assertTrue(call(target).succeeded());
    assertEquals(2, target.connections());
    assertEquals(0, repeated.get());
  }

  @Test
  void bytesBeforeTheRequestAreABrokenAnswer() {
    int port =
        Await.result(
                vertx
                    .createNetServer()
                    .connectHandler(socket -> socket.write("220 mail.example ready\r\n"))
                    .listen(0, "127.0.0.1"))
            .actualPort();
    Promise<AttemptResult> done = Promise.promise();
    HttpCall call = Caller.call("http://127.0.0.1:" + port + "/", null);
    loop.runOnContext(
        go ->
            invoker.invoke(Caller.RUN, "C/J", call, Caller.DEFAULT, this::check).onComplete(done));

    AttemptResult result = Await.result(done.future());

    assertEquals(ErrorKind.ANSWER, result.call().error().orElseThrow().kind());
  }
}
