package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.egress.Egress;
import carillon.job.action.HttpCall;
import carillon.support.Await;
import carillon.support.TestCertificate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the bytes of requests. */
class RequestFormTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private Caller caller(String trustedCa) {
    return new Caller(
        vertx,
        InstantSource.system(),
        trustedCa,
        URI.create("https://login.example"),
        Duration.ofSeconds(25));
  }

  private static HttpCall bare(String method, String uri) {
    return new HttpCall(false, uri, method, Map.of(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"POST, 0", "put, 0", "Patch, 0", "GET, ''", "HEAD, ''", "DELETE, ''", "OPTIONS, ''"})
  void aRequestWithoutContentTellsItsLengthWhereContentIsExpected(String method, String length) {
    RawTarget target = new RawTarget(vertx, "127.0.0.1", OK);

    assertTrue(caller("").make(bare(method, target.url())).succeeded());

    String request = target.requests().get(0);
    assertEquals(length, RawTarget.header(request, "Content-Length"), request);
    assertEquals("", RawTarget.header(request, "Transfer-Encoding"), request);
  }

  @Test
  void soItDoesOverHttp2(@TempDir Path dir) {
    TestCertificate certificate = TestCertificate.make(dir, "localhost", "server");
    StringBuilder seen = new StringBuilder();
    int port =
        Await.result(
                vertx
                    .createHttpServer(tls(certificate))
                    .requestHandler(
                        request -> {
                          seen.append(request.version()).append(' ');
                          seen.append(request.getHeader("Content-Length"));
                          request.response().end();
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort();

    caller(certificate.pem().toString()).make(bare("POST", "https://localhost:" + port + "/"));

    assertEquals("HTTP_2 0", seen.toString());
  }

  private static HttpServerOptions tls(TestCertificate certificate) {
    return new HttpServerOptions()
        .setSsl(true)
        .setUseAlpn(true)
        .setKeyCertOptions(
            new PfxOptions()
                .setPath(certificate.pfx().toString())
                .setPassword(certificate.password()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[::1]", "127.0.0.1", "localhost"})
  void theHostIsSentAsUrisHaveIt(String host) {
    RawTarget target = new RawTarget(vertx, host.equals("[::1]") ? "::1" : "127.0.0.1", OK);
    String authority = host + ":" + target.port();

    assertTrue(caller("").make(bare("GET", "http://" + authority + "/")).succeeded());

    assertEquals(authority, RawTarget.header(target.requests().get(0), "Host"));
  }

  @Test
  void aMessageNamesAnIpv6AddressInBrackets() {
    AttemptResult result = caller("").make(bare("GET", "http://[::1]:1/"));

    assertEquals("connection refused by [::1]:1", result.call().error().orElseThrow().cause());
  }

  @ParameterizedTest
  @CsvSource({
    "my_app, my_app",
    "-a-.b_, -a-.b_",
    "2nd, 2nd",
    "My_App, My_App",
    "www.köln.example, www.xn--kln-sna.example",
    "www.k%C3%B6ln.example, www.xn--kln-sna.example",
    "%6D%79_app, my_app",
    "a;b=c, a;b=c"
  })
  void theHostThatIsJudgedIsTheOneThatIsCalled(String host, String called) {
    RawTarget target = new RawTarget(vertx, "127.0.0.1", OK);
    List<String> judged = new ArrayList<>();
    Egress egress =
        (name, port) -> {
          judged.add(name);
          return Future.succeededFuture(
              List.of(SocketAddress.inetSocketAddress(port, "127.0.0.1")));
        };
    HttpCall call = bare("GET", "http://" + host + ":" + target.port() + "/");

    Promise<AttemptResult> done = Promise.promise();
    vertx.runOnContext(
        go ->
            PlainHttp.invoker(
                    vertx,
                    InstantSource.system(),
                    HttpInvokerTest.settings(HttpInvokerTest.PATIENCE, ""),
                    egress)
                .invoke(Caller.RUN, "C/J", call, Caller.DEFAULT, Caller.ANY_TIME)
                .onComplete(done));

    assertTrue(Await.result(done.future()).succeeded());
    assertEquals(List.of(called), judged);
    assertEquals(called + ":" + target.port(), RawTarget.header(target.requests().get(0), "Host"));
  }
}
