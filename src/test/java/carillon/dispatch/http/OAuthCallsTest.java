package carillon.dispatch.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.action.Authentication.ActiveDirectoryOAuth;
import carillon.job.action.Authentication.ClientCredentials;
import carillon.job.action.Authentication.ClientCredentials.Method;
import carillon.job.action.HttpCall;
import carillon.job.action.Secret;
import carillon.support.Await;
import carillon.support.TokenServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Test of calls with a token of an authority: requested once, kept, renewed, and refused. */
class OAuthCallsTest extends TlsTargetFixture {
  private static final URI NOWHERE = URI.create("https://login.example");

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
  void refusedClientsAreAskedOneAtATimeAndFewWait() {
    String uri = serve(request -> request.response().end());
    List<HttpCall> bogus =
        IntStream.range(0, 20).mapToObj(i -> Caller.call(uri, oauth("canary-" + i))).toList();
    bogus.forEach(caller::make);
    clock.advance(Duration.ofSeconds(31));
    List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
    authority.instead = held::add;

    List<CompletableFuture<AttemptResult>> results =
        bogus.stream().map(call -> caller.begin(call).toCompletableFuture()).toList();
    TokenServer other = new TokenServer(vertx, clock);
    AttemptResult good =
        caller.make(Caller.call(uri, client(other.tokenUrl(), TokenServer.SECRET, Method.BASIC)));

    assertTrue(good.succeeded(), good.message());
    Await.until("a refused client asks", () -> held.size() == 1);
    Await.until(
        "one asks, ten wait",
        () -> results.stream().filter(CompletableFuture::isDone).count() >= 9);
    List<AttemptResult> turnedAway =
        results.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join).toList();
    assertEquals(9, turnedAway.size(), "one asks, ten wait");
    assertTrue(turnedAway.get(0).message().endsWith("waits for 10 others already"));
    for (int i = 0; i < 11; i++) {
      int asked = i + 1;
      Await.until("the next one asks", () -> held.size() == asked);
      held.get(i).response().setStatusCode(401).end();
    }
    CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).join();
    assertEquals(11, held.size());
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
  void bytesBehindATokenAreNotPartOfTheNext() {
    String token = "{\"token_type\":\"Bearer\",\"access_token\":\"t\",\"expires_in\":3600}";
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + token.length() + "\r\n\r\n" + token;
    RawTarget issuer =
        new RawTarget(
            vertx,
            "127.0.0.1",
            (socket, number) ->
                socket.write(
                    number == 1
                        ? answer + "HTTP/1.1 200 OK\r\nX-Smuggled: "
                        : "HTTP/1.1 500 No\r\n\r\n"));
    String uri =
        new RawTarget(vertx, "127.0.0.1", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").url();

    for (String secret : List.of("one", "two")) {
      AttemptResult result =
          caller.make(Caller.call(uri, client(issuer.url(), secret, Method.BASIC)));
      assertTrue(result.succeeded(), result.message());
    }

    assertEquals(2, issuer.connections());
  }

  @Test
  void anIssuerThatSpeaksNoHttpIsNamed() {
    RawTarget issuer = new RawTarget(vertx, "127.0.0.1", "HTTP/1.1 2000 OK\r\n\r\n");

    AttemptResult result =
        caller.make(Caller.call(serveGuarded(), client(issuer.url(), "one", Method.BASIC)));

    assertTrue(
        result.message().contains("'127.0.0.1': the answer is not valid HTTP: its status code"),
        result.message());
  }
}
