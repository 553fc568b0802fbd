package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.job.action.HttpCall;
import carillon.job.action.StatusSet;
import carillon.job.attempt.HistoryEntry.CallDetail;
import carillon.support.Await;
import carillon.support.LogCapture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SelfSignedCertificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of calls to real servers, correct and hostile. */
class HttpInvokerTest {
  static final Duration PATIENCE = Duration.ofSeconds(25);

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  static DispatchSettings settings(Duration timeout, String trustedCa) {
    return new DispatchSettings(
        10, 10, timeout, Duration.ofHours(1), 2000, "local", 5, trustedCa, false);
  }

  private AttemptResult call(DispatchSettings settings, String uri, String method) {
    HttpCall call = new HttpCall(false, uri, method, Map.of("X-Mine", "v"), Optional.of("body"));
    return Await.result(
        vertx
            .executeBlocking(() -> null)
            .compose(
                go -> {
                  HttpInvoker invoker = PlainHttp.invoker(vertx, InstantSource.system(), settings);
                  return invoker
                      .invoke(
                          Caller.RUN,
                          "Coll/J",
                          call,
                          new CallOptions(settings.timeout(), StatusSet.SUCCESS),
                          Caller.ANY_TIME)
                      .eventually(invoker::close);
                }));
  }

  private AttemptResult call(String uri) {
    return call(settings(PATIENCE, ""), uri, "post");
  }

  private AttemptResult callImpatiently(String uri) {
    return call(settings(Duration.ofMillis(500), ""), uri, "post");
  }

  private String serve(Consumer<HttpServerRequest> handler) {
    HttpServer server =
        Await.result(
            vertx.createHttpServer().requestHandler(handler::accept).listen(0, "127.0.0.1"));
    return "http://127.0.0.1:" + server.actualPort();
  }

  private String listenRaw(String answer) {
    return "http://127.0.0.1:"
        + Await.result(
                vertx
                    .createNetServer()
                    .connectHandler(socket -> socket.handler(sent -> socket.write(answer)))
                    .listen(0, "127.0.0.1"))
            .actualPort();
  }

  @Test
  void a2xxIsASuccessAndTheMessageHasTheRecordedForm() {
    String url =
        serve(
            r ->
                r.response()
                    .setStatusCode(202)
                    .putHeader("A", (Iterable<String>) List.of("1", "2"))
                    .end("fine"));

    AttemptResult result = call(url + "/x?y=1");

    assertTrue(result.succeeded());
    assertEquals(
        "Http Action - Response from host '127.0.0.1': 'Accepted' Response Headers: A: 1, 2\r\n Body: fine",
        result.message());
  }

  @Test
  void aRedirectIsAFailureAndNotFollowed() {
    String url = serve(r -> r.response().setStatusCode(302).putHeader("Location", "/other").end());

    AttemptResult result = call(url + "/x");

    assertFalse(result.succeeded());
    assertTrue(result.message().contains("'Found'"), result.message());
  }

  @Test
  void methodPathQueryHeadersAndBodyArriveAsGiven() {
    StringBuilder seen = new StringBuilder();
    String url =
        serve(
            r ->
                r.body()
                    .onSuccess(
                        body -> {
                          seen.append(r.method())
                              .append(' ')
                              .append(r.uri())
                              .append(' ')
                              .append(r.getHeader("x-mine"))
                              .append(' ')
                              .append(body)
                              .append(' ')
                              .append(r.getHeader("User-Agent"));
                          r.response().end();
                        }));

    call(settings(PATIENCE, ""), url + "/a%2fb?q=%20#frag", "patch");

    assertEquals("PATCH /a%2fb?q=%20 v body Carillon/test", seen.toString());
  }

  @Test
  void aTargetThatNeverAnswersCostsOneDeadline() {
    AttemptResult result = callImpatiently(serve(r -> {}));

    assertFalse(result.succeeded());
    assertEquals(
        "Http Action - Request to host '127.0.0.1' failed: no complete answer within 500 ms",
        result.message());
  }

  @Test
  void aTargetThatTricklesCostsOneDeadline() {
    String url =
        serve(
            r -> {
              r.response().setChunked(true).write("a");
              vertx.setPeriodic(
                  50, id -> r.response().write("a").onFailure(f -> vertx.cancelTimer(id)));
            });

    assertTrue(callImpatiently(url).message().endsWith("no complete answer within 500 ms"));
  }

  @Test
  void anEndlessAnswerIsReadUpToTheCap() {
    String url =
        serve(
            r -> {
              r.response().setChunked(true);
              vertx.setPeriodic(
                  1,
                  id -> r.response().write("x".repeat(1000)).onFailure(f -> vertx.cancelTimer(id)));
            });

    AttemptResult result = call(settings(PATIENCE, ""), url, "get");

    assertTrue(result.succeeded(), result.message());
    assertTrue(result.message().endsWith("Body: " + "x".repeat(1024)), result.message());
  }

  @Test
  void aConnectionThatIsClosedBeforeTheAnswerIsAFailure() {
    String url = serve(r -> r.connection().close());

    assertEquals(
        "Http Action - Request to host '127.0.0.1' failed: the connection was closed",
        call(url).message());
  }

  @Test
  void anAnswerThatIsNotHttpIsAFailure() {
    assertFalse(call(listenRaw("I am not a web server\r\n\r\n")).succeeded());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I am not a web server\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Long: LONG\r\n\r\n",
        "HTTP/1.1 99999 No\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc",
      })
  void whatTargetsDoWrongIsNoErrorInTheLog(String answer) {
    try (LogCapture log = new LogCapture()) {
      call(listenRaw(answer.replace("LONG", "x".repeat(9000))));

      assertEquals(List.of(), log.complaints());
    }
  }

  @Test
  void aPortWhereNobodyListensIsAFailure() {
    assertEquals(
        "Http Action - Request to host '127.0.0.1' failed: no connection",
        call("http://127.0.0.1:1/").message());
  }

  @Test
  void anAnswerTellsItsStatusAndTheLengthOfALongBody() {
    String head = "HTTP/1.1 503 Away\r\nContent-Length: 3000\r\n\r\n";

    CallDetail detail = call(listenRaw(head + "x".repeat(3000))).call();

    assertEquals(OptionalInt.of(503), detail.statusCode());
    assertEquals(OptionalLong.of(3000), detail.bodyBytes());
  }

  @Test
  void aNameThatDoesNotResolveIsAFailure() {
    AttemptResult result = call(settings(PATIENCE, ""), "http://no-such-host.invalid/", "get");

    assertEquals(
        "Http Action - Request to host 'no-such-host.invalid' failed: the host name cannot be"
            + " resolved, or its address is not allowed",
        result.message());
  }

  private int serveTls(SelfSignedCertificate certificate) {
    PemKeyCertOptions key = certificate.keyCertOptions();
    Future<HttpServer> server =
        vertx
            .createHttpServer(new HttpServerOptions().setSsl(true).setKeyCertOptions(key))
            .requestHandler(r -> r.response().end("secret"))
            .listen(0, "127.0.0.1");
    return Await.result(server).actualPort();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, true, succeeded: true",
    "localhost, false, failed: the TLS handshake failed",
    "other.example, true, failed: the TLS handshake failed"
  })
  void anHttpsTargetIsCalledWhenItsCertificateIsTrustedAndOfItsName(
      String name, boolean isTrusted, String outcome) {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(name);
    String uri = "https://localhost:" + serveTls(certificate) + "/";

    AttemptResult result =
        call(settings(PATIENCE, isTrusted ? certificate.certificatePath() : ""), uri, "get");

    String told = "succeeded: " + result.succeeded() + ", " + result.message();
    assertTrue(told.contains(outcome), told);
    certificate.delete();
  }
}
