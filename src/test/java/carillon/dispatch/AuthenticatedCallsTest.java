package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Authentication.ActiveDirectoryOAuth;
import carillon.job.Authentication.ApiKey;
import carillon.job.Authentication.Basic;
import carillon.job.Authentication.Bearer;
import carillon.job.Authentication.Certificate;
import carillon.job.Authentication.ClientCertificate;
import carillon.job.Authentication.ClientCredentials;
import carillon.job.Authentication.ClientCredentials.Method;
import carillon.job.HttpCall;
import carillon.job.Secret;
import carillon.support.Await;
import carillon.support.TestCertificate;
import carillon.support.TestClock;
import carillon.support.TokenServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that show who they are, to real servers that look. */
class AuthenticatedCallsTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final URI NOWHERE = URI.create("https://login.example");

  @TempDir static Path dir;
  private static TestCertificate server;
  private static TestCertificate alice;
  private static TestCertificate bob;

  private final Vertx vertx = Vertx.vertx();
  private final TestClock clock = new TestClock(START);
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private TokenServer authority;
  private Caller caller;

  @BeforeAll
  static void makeCertificates() {
    server = TestCertificate.make(dir, "localhost", "server");
    alice = TestCertificate.make(dir, "alice", "canary-a");
    bob = TestCertificate.make(dir, "bob", "canary-b");
  }

  @BeforeEach
  void start() {
    authority = new TokenServer(vertx, clock);
    caller = new Caller(vertx, clock, server.pem().toString(), authority.authority());
  }

  @AfterEach
  void close() {
    Await.result(vertx.close());
  }

  private String serve(HttpServerOptions options, Consumer<HttpServerRequest> handler) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setKeyCertOptions(
            new PfxOptions().setPath(server.pfx().toString()).setPassword(server.password()));
    int port =
        Await.result(
                vertx
                    .createHttpServer(options)
                    .requestHandler(handler::accept)
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return "https://localhost:" + port + "/";
  }

  private String serve(Consumer<HttpServerRequest> handler) {
    return serve(new HttpServerOptions(), handler);
  }

  private void note(HttpServerRequest request) {
    seen.add(String.valueOf(request.getHeader("Authorization")));
    request.response().end("you sent " + request.getHeader("Authorization"));
  }

  @Test
  void basicSendsUserAndPasswordAndTheHistoryHidesAnEcho() {
    String uri = serve(this::note);

    AttemptResult result = caller.make(Caller.call(uri, new Basic("ü", new Secret("canary:é"))));

    assertTrue(result.succeeded(), result.message());
    assertEquals(List.of("Basic w7w6Y2FuYXJ5OsOp"), seen);
    assertTrue(result.message().endsWith("Body: you sent Basic ***"), result.message());
  }

  @Test
  void aSecretThatATargetRepeatsIsHiddenAlsoWhereTheTextIsCut() {
    String uri =
        serve(r -> r.response().putHeader("X-You", "canary-1").end("x".repeat(1020) + "canary-1"));

    AttemptResult result = caller.make(Caller.call(uri, new Basic("u", new Secret("canary-1"))));

    assertFalse(result.message().contains("can"), result.message());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void anEncodedEchoOfBasicIsHidden() {
    String uri =
        serve(
            r -> {
              String sent = r.getHeader("Authorization");
              String bare = sent.replace("=", "").substring("Basic ".length());
              r.response()
                  .setStatusCode(302)
                  .putHeader("Location", "https://h/?x=" + encoded(sent))
                  .end(encoded("Authorization: " + sent) + " " + bare + " " + encoded("can&ry:ä"));
            });

    AttemptResult result = caller.make(Caller.call(uri, new Basic("u", new Secret("can&ry:ä"))));

    assertTrue(result.message().contains(": https://h/?x=Basic+***\r\n"), result.message());
    assertTrue(
        result.message().endsWith("Body: Authorization%3A+Basic+*** *** ***"), result.message());
  }

  @Test
  void anEncodedEchoOfHeadersAndQueryIsHidden() {
    String uri =
        serve(
            r ->
                r.response()
                    .end(
                        encoded(r.getHeader("Cookie"))
                            + " "
                            + Base64.getEncoder()
                                .encodeToString(
                                    r.getHeader("Cookie").getBytes(StandardCharsets.UTF_8))
                            + " canary2; "
                            + encoded(r.uri())
                            + " p:w0rd"));
    HttpCall call =
        new HttpCall(
            false,
            uri + "?sig=can%2Bary",
            "GET",
            Map.of("Cookie", "sid=canary-1; t=canary2", "Authorization", "Basic dTpwOncwcmQ="),
            Optional.empty());

    AttemptResult result = caller.make(call);

    assertTrue(
        result.message().endsWith("Body: *** *** ***; %2F%3Fsig%3D*** ***"), result.message());
  }

  @Test
  void headersWhoseNamesTellAreHiddenInAnEcho() {
    String uri =
        serve(
            r ->
                r.response()
                    .end(
                        r.getHeader("Authorization")
                            + r.getHeader("X-Api-Key")
                            + r.getHeader("A")));
    HttpCall call =
        new HttpCall(
            false,
            uri,
            "GET",
            Map.of("Authorization", "Bearer canary-1", "X-Api-Key", "canary-2", "A", "shown"),
            Optional.empty());

    AttemptResult result = caller.make(call);

    assertTrue(result.message().endsWith("Body: ******shown"), result.message());
  }

  @Test
  void aBearerTokenIsSentAndAnEchoHidden() {
    AttemptResult result =
        caller.make(Caller.call(serve(this::note), new Bearer(new Secret("canary-1"))));

    assertEquals(List.of("Bearer canary-1"), seen);
    assertTrue(result.message().endsWith("Body: you sent Bearer ***"), result.message());
  }

  @Test
  void anApiKeyIsSentInItsHeader() {
    String uri = serve(r -> r.response().end("you sent " + r.getHeader("X-Api-Key")));

    AttemptResult result =
        caller.make(
            Caller.call(uri, new ApiKey("x-api-key", new Secret("canary 1"), ApiKey.In.HEADER)));

    assertTrue(result.succeeded(), result.message());
    assertTrue(result.message().endsWith("Body: you sent ***"), result.message());
  }

  @Test
  void anApiKeyIsSentInTheQuery() {
    String uri =
        serve(
            r -> {
              seen.add(r.uri() + " " + r.getParam("api key"));
              r.response().end(r.uri() + r.getParam("api key"));
            });
    ApiKey key = new ApiKey("api key", new Secret("canary&=é"), ApiKey.In.QUERY);

    AttemptResult plain = caller.make(Caller.call(uri, key));
    caller.make(Caller.call(uri + "?a=b#c", key));

    assertEquals(
        List.of(
            "/?api%20key=canary%26%3D%C3%A9 canary&=é",
            "/?a=b&api%20key=canary%26%3D%C3%A9 canary&=é"),
        seen);
    assertTrue(plain.message().endsWith("Body: /?api%20key=******"), plain.message());
  }

  private static ClientCertificate certificate(TestCertificate from) {
    return new ClientCertificate(
        new Secret(from.base64()), new Secret(from.password()), Optional.empty());
  }

  private String serveMutual() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(
                new PemTrustOptions()
                    .addCertPath(alice.pem().toString())
                    .addCertPath(bob.pem().toString()));
    return serve(
        options,
        request -> {
          seen.add(peer(request));
          request.response().end();
        });
  }

  private static String peer(HttpServerRequest request) {
    try {
      X509Certificate shown =
          (X509Certificate) request.connection().sslSession().getPeerCertificates()[0];
      return request.version() + " " + shown.getSubjectX500Principal().getName();
    } catch (javax.net.ssl.SSLPeerUnverifiedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void eachCallShowsItsOwnCertificate() {
    String uri = serveMutual();

    for (int i = 0; i < 2; i++) {
      for (TestCertificate each : List.of(alice, bob)) {
        AttemptResult result = caller.make(Caller.call(uri, certificate(each)));
        assertTrue(result.succeeded(), result.message());
      }
    }
    AttemptResult anonymous = caller.make(Caller.call(uri, null));

    assertEquals(
        List.of("HTTP_2 CN=alice", "HTTP_2 CN=bob", "HTTP_2 CN=alice", "HTTP_2 CN=bob"), seen);
    assertFalse(anonymous.succeeded());
  }

  @Test
  void aCertificateThatExpiredSinceIsToldSo() {
    Certificate facts = new Certificate("00", START, "CN=alice");
    ClientCertificate expired =
        new ClientCertificate(
            new Secret(alice.base64()), new Secret(alice.password()), Optional.of(facts));

    AttemptResult result = caller.make(Caller.call(serveMutual(), expired));

    assertTrue(
        result.message().endsWith("failed: the client certificate expired at 2026-11-20T12:00:00Z"),
        result.message());
  }

  @Test
  void aCertificateThatCannotBeReadIsAFailedAttempt() {
    ClientCertificate broken =
        new ClientCertificate(
            new Secret(alice.base64()), new Secret("canary-wrong"), Optional.empty());

    AttemptResult result = caller.make(Caller.call(serveMutual(), broken));

    assertTrue(
        result.message().endsWith("failed: the client certificate cannot be read"),
        result.message());
  }

  private static ActiveDirectoryOAuth oauth(String secret) {
    return new ActiveDirectoryOAuth(
        TokenServer.TENANT, TokenServer.RESOURCE, TokenServer.CLIENT, new Secret(secret));
  }

  private String serveGuarded() {
    return serve(
        request ->
            request
                .response()
                .setStatusCode(authority.accepts(request.getHeader("Authorization")) ? 200 : 401)
                .end("you sent " + request.getHeader("Authorization")));
  }

  @Test
  void oneTokenServesManyCalls() {
    String uri = serveGuarded();
    HttpCall call = Caller.call(uri, oauth(TokenServer.SECRET));

    List<AttemptResult> results = caller.make(call, 50);
    AttemptResult later = caller.make(call);

    results.forEach(result -> assertTrue(result.succeeded(), result.message()));
    assertTrue(later.message().endsWith("Body: you sent Bearer ***"), later.message());
    assertEquals(1, authority.requests.get());
  }

  private ClientCredentials client(String tokenUrl, String secret, Method method) {
    return new ClientCredentials(
        tokenUrl,
        TokenServer.CLIENT,
        new Secret(secret),
        Optional.of(TokenServer.SCOPE),
        Optional.of(TokenServer.RESOURCE),
        method);
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void aTokenOfAnyIssuerServesManyCalls(Method method) {
    ClientCredentials client = client(authority.tokenUrl(), TokenServer.SECRET, method);
    HttpCall call = Caller.call(serveGuarded(), client);

    List<AttemptResult> results = caller.make(call, 20);

    results.forEach(result -> assertTrue(result.succeeded(), result.message()));
    assertTrue(results.get(0).message().endsWith("Body: you sent Bearer ***"));
    assertEquals(1, authority.requests.get());
    authority.revokeAll();
    assertFalse(caller.make(call).succeeded());
    assertTrue(caller.make(call).succeeded(), "it was asked for anew");
    assertEquals(2, authority.requests.get());
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void anyIssuerRefusesAWrongSecret(Method method) {
    String uri = serveGuarded();
    caller.make(Caller.call(uri, client(authority.tokenUrl(), TokenServer.SECRET, method)));

    AttemptResult result =
        caller.make(Caller.call(uri, client(authority.tokenUrl(), "canary-wrong", method)));

    assertTrue(
        result.message().endsWith("no token from '127.0.0.1': it answered 401 (invalid_client)"),
        result.message());
  }

  @Test
  void aTokenUrlIsBoundByWhatJobsMayReach() {
    String there = authority.tokenUrl().replace("127.0.0.1", "169.254.169.254");
    ClientCredentials client = client(there, TokenServer.SECRET, Method.BASIC);

    AttemptResult result = caller.make(Caller.call(serveGuarded(), client));

    assertTrue(
        result.message().endsWith("no token from '169.254.169.254': target address not allowed"),
        result.message());
    assertEquals(0, authority.requests.get());
  }

  @Test
  void aTokenIsReplacedShortlyBeforeItEnds() {
    HttpCall call = Caller.call(serveGuarded(), oauth(TokenServer.SECRET));
    caller.make(call);

    clock.set(START.plus(Duration.ofMinutes(58)));
    caller.make(call);
    assertEquals(1, authority.requests.get());
    clock.set(START.plus(Duration.ofMinutes(59)));
    AttemptResult renewed = caller.make(call);

    assertTrue(renewed.succeeded(), renewed.message());
    assertEquals(2, authority.requests.get());
    assertEquals(1, caller.tokens.size());
  }

  @Test
  void aTokenThatTheTargetRefusesIsNotShownAgain() {
    HttpCall call = Caller.call(serveGuarded(), oauth(TokenServer.SECRET));
    caller.make(call);
    authority.revokeAll();

    AttemptResult refused = caller.make(call);
    AttemptResult next = caller.make(call);

    assertFalse(refused.succeeded());
    assertTrue(next.succeeded(), next.message());
    assertEquals(2, authority.requests.get());
  }

  @Test
  void aWrongSecretGetsNoTokenNotEvenAKeptOne() {
    String uri = serveGuarded();
    caller.make(Caller.call(uri, oauth(TokenServer.SECRET)));

    List<AttemptResult> results = caller.make(Caller.call(uri, oauth("canary-wrong")), 3);

    for (AttemptResult result : results) {
      assertEquals(
          "Http Action - Request to host 'localhost' failed:"
              + " no token from '127.0.0.1': it answered 401 (invalid_client)",
          result.message());
    }
    assertEquals(2, authority.requests.get());
  }

  @Test
  void aRefusalHoldsForHalfAMinuteAndTwiceAsLongWhenItIsRepeated() {
    HttpCall call = Caller.call(serveGuarded(), oauth("canary-wrong"));
    caller.make(call);
    clock.advance(Duration.ofSeconds(29));
    AttemptResult kept = caller.make(call);
    assertEquals(1, authority.requests.get());
    assertTrue(kept.message().endsWith("it answered 401 (invalid_client)"), kept.message());

    clock.advance(Duration.ofSeconds(1));
    caller.make(call);
    clock.advance(Duration.ofSeconds(59));
    caller.make(call);
    assertEquals(2, authority.requests.get());
    clock.advance(Duration.ofSeconds(1));
    caller.make(call);

    assertEquals(3, authority.requests.get());
  }

  @Test
  void aFailureToGetATokenIsNotKept() {
    HttpCall call = Caller.call(serveGuarded(), oauth(TokenServer.SECRET));
    authority.instead = request -> request.response().setStatusCode(503).end("busy");
    AttemptResult failed = caller.make(call);
    authority.instead = null;

    AttemptResult next = caller.make(call);

    assertTrue(failed.message().endsWith("it answered 503, and not in JSON"), failed.message());
    assertTrue(next.succeeded(), next.message());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "200|[]|it answered 200, and not in JSON",
        "200|{}|its answer holds no bearer token",
        "200|{\"token_type\":\"mac\",\"access_token\":\"t\"}|its answer holds no bearer token",
        "200|{\"token_type\":\"bearer\",\"access_token\":\"a\\nb\"}|its answer holds no bearer token",
        "302|{}|it answered 302",
        "400|{\"error\":\"canary<script>\"}|it answered 400"
      })
  void anAuthorityThatMisbehavesIsAFailedAttempt(int status, String body, String why) {
    authority.instead =
        request ->
            request
                .response()
                .setStatusCode(status)
                .putHeader("Location", "http://127.0.0.1:1/")
                .end(body);

    AttemptResult result = caller.make(Caller.call(serveGuarded(), oauth(TokenServer.SECRET)));

    assertTrue(result.message().endsWith("no token from '127.0.0.1': " + why), result.message());
  }

  @Test
  void anAuthorityThatFloodsOrNeverAnswersIsAFailedAttempt() {
    Caller impatient =
        new Caller(
            vertx, clock, server.pem().toString(), authority.authority(), Duration.ofSeconds(2));
    HttpCall call = Caller.call(serveGuarded(), oauth(TokenServer.SECRET));

    authority.instead = request -> request.response().end("x".repeat(100_000));
    AttemptResult flooded = caller.make(call);
    authority.instead = request -> {};
    AttemptResult silent = impatient.make(call);

    assertTrue(flooded.message().endsWith("its answer is too large"), flooded.message());
    assertTrue(silent.message().endsWith("within 2000 ms"), silent.message());
  }

  @Test
  void anAuthorityThatIsNotThereIsAFailedAttempt() {
    Caller lost = new Caller(vertx, clock, server.pem().toString(), NOWHERE);

    AttemptResult result = lost.make(Caller.call(serveGuarded(), oauth(TokenServer.SECRET)));

    assertTrue(result.message().contains("no token from 'login.example': "), result.message());
  }

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
              // None is answered before ten are there, however long their handshakes take.
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
