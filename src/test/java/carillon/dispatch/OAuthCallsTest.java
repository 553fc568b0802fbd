package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.Authentication.ActiveDirectoryOAuth;
import carillon.job.Authentication.ClientCredentials;
import carillon.job.Authentication.ClientCredentials.Method;
import carillon.job.HttpCall;
import carillon.job.Secret;
import carillon.support.TokenServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls with a token of an authority: asked for once, kept, renewed, and refused. */
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
}
