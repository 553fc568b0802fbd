package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.config.AccessSettings.TokensSettings;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.support.Await;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of a real issuer: an HTTP server that tells its keys. */
class TokensTest {
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final String AUDIENCE = "carillon";

  private static RSAKey rsa;
  private static RSAKey otherRsa;
  private static ECKey ec;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private final AtomicLong nanos = new AtomicLong(1);
  private final AtomicReference<List<JWK>> published = new AtomicReference<>();
  private final AtomicInteger status = new AtomicInteger(200);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicBoolean hangs = new AtomicBoolean();
  private final List<HttpServerRequest> hung = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private String issuer;
  private TokenAuthenticator tokens;

  @BeforeAll
  static void keys() throws JOSEException {
    rsa = new RSAKeyGenerator(2048).keyID("one").generate();
    otherRsa = new RSAKeyGenerator(2048).keyID("one").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
  }

  @BeforeEach
  void start() {
    published.set(List.of(rsa, ec));
    server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  if (hangs.get()) {
                    hung.add(request);
                    return;
                  }
                  boolean keys = request.path().equals("/keys");
                  asked.addAndGet(keys ? 1 : 0);
                  request
                      .response()
                      .setStatusCode(status.get())
                      .end(
                          keys
                              ? new JWKSet(published.get()).toPublicJWKSet().toString()
                              : "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}"
                                  .formatted(issuer, issuer));
                });
    issuer = "http://127.0.0.1:" + await(server.listen(0, "127.0.0.1")).actualPort();
    tokens = tokens("");
  }

  private TokenAuthenticator tokens(String keys) {
    TokensSettings settings =
        TestSettings.with(
            Settings.defaults().access().tokens(),
            "issuer=" + issuer,
            "audience=" + AUDIENCE,
            "keys=" + keys,
            "roles=boss=admin:*,billing=writer:default/default/b");
    JwtVerifier rules = JwtVerifier.of(settings);
    return new TokenAuthenticator(
        rules, new JwksClient(vertx, settings, nanos::get), now::get, nanos::get);
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** On an event loop, to which everything in here is confined. */
  private Caller identify(String token) {
    return await(onLoop(token));
  }

  private Future<Caller> onLoop(String token) {
    Promise<Caller> promise = Promise.promise();
    loop.runOnContext(go -> tokens.identify(token).onComplete(promise));
    return promise.future();
  }

  private String reason(String token) {
    CompletionException e = assertThrows(CompletionException.class, () -> identify(token));
    assertTrue(e.getCause() instanceof LoginException, String.valueOf(e.getCause()));
    return e.getCause().getMessage();
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(issuer)
        .audience(List.of("another", AUDIENCE))
        .subject("ada")
        .claim("roles", List.of("billing", "unknown"))
        .expirationTime(Date.from(NOW.plusSeconds(600)));
  }

  private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) {
    try {
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JWSHeader.Builder header(String key) {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key).type(JOSEObjectType.JWT);
  }

  private static JWSSigner signer(RSAKey key) {
    try {
      return new RSASSASigner(key);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private String rs256(JWTClaimsSet claims) {
    return signed(header("one").build(), claims, signer(rsa));
  }

  @Test
  void letsItsHolderDoWhatTheWordsInItAllow() throws JOSEException {
    Caller ada = identify(rs256(claims().build()));

    assertEquals("ada", ada.name());
    assertEquals(Caller.AuthenticationMethod.TOKEN, ada.proof());
    assertTrue(ada.may(Role.WRITER, Scope.parse("default/default/b")));
    assertFalse(ada.may(Role.READER, Scope.EVERYTHING));
    assertTrue(
        identify(rs256(claims().claim("roles", "x boss").build()))
            .may(Role.ADMIN, Scope.EVERYTHING),
        "words with blanks between them");
    assertTrue(identify(rs256(claims().claim("roles", null).build())).grants().isEmpty());
    JWSHeader es256 = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("two").build();
    assertEquals("ada", identify(signed(es256, claims().build(), new ECDSASigner(ec))).name());
  }

  /**
   * A token that is to be refused.
   *
   * @param reason of the refusal, a pattern that is found in it
   */
  private record Row(String what, String token, String reason) {}

  /** Each is wrong in one thing alone. */
  private Stream<Row> refused() throws Exception {
    String good = rs256(claims().build());
    String[] parts = good.split("\\.", -1);
    byte[] publicKey = ((RSAPublicKey) rsa.toPublicKey()).getEncoded();
    return Stream.of(
        new Row("no token", "abc", "form"),
        new Row("three empty parts", "..", "form"),
        new Row("alg none", new PlainJWT(claims().build()).serialize(), "form"),
        new Row(
            "alg none with a signature",
            base64("{\"alg\":\"none\"}") + "." + parts[1] + "." + parts[2],
            "form"),
        new Row(
            "a shared secret made of the public key",
            signed(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build(),
                claims().build(),
                new MACSigner(publicKey)),
            "algorithm"),
        new Row(
            "an algorithm that is not set",
            signed(
                new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("one").build(),
                claims().build(),
                signer(rsa)),
            "algorithm"),
        new Row(
            "another key under the same name",
            signed(header("one").build(), claims().build(), signer(otherRsa)),
            "signature"),
        new Row(
            "its own key in the header",
            signed(
                header("one").jwk(otherRsa.toPublicJWK()).build(),
                claims().build(),
                signer(otherRsa)),
            "signature"),
        new Row(
            "a place of its own for keys",
            signed(
                header("evil").jwkURL(URI.create(issuer + "/evil")).build(),
                claims().build(),
                signer(otherRsa)),
            "no such key"),
        new Row(
            "critical parameters",
            signed(
                header("one").criticalParams(Set.of("exp")).customParam("exp", 1).build(),
                claims().build(),
                signer(rsa)),
            "critical"),
        new Row(
            "claims that were changed",
            parts[0] + "." + base64(claims().subject("eve").build().toString()) + "." + parts[2],
            "signature"),
        new Row("no signature", parts[0] + "." + parts[1] + ".", "form|signature"),
        new Row("another issuer", rs256(claims().issuer(issuer + "/").build()), "issuer"),
        new Row("no issuer", rs256(claims().issuer(null).build()), "issuer"),
        new Row("another audience", rs256(claims().audience("other").build()), "audience"),
        new Row("no audience", rs256(claims().audience((String) null).build()), "audience"),
        new Row("no end", rs256(claims().expirationTime(null).build()), "never ends"),
        new Row(
            "expired",
            rs256(claims().expirationTime(Date.from(NOW.minusSeconds(31))).build()),
            "expired"),
        new Row(
            "not yet valid",
            rs256(claims().notBeforeTime(Date.from(NOW.plusSeconds(31))).build()),
            "not hold yet"),
        new Row(
            "a notice that somebody has signed out",
            signed(
                header("one").type(new JOSEObjectType("logout+jwt")).build(),
                claims().build(),
                signer(rsa)),
            "type"),
        new Row(
            "a name of two lines",
            rs256(claims().subject("ada\nby operator").build()),
            "control characters"),
        new Row(
            "a name that hides its end",
            rs256(claims().subject("ada\u202e").build()),
            "control characters"),
        new Row("nobody", rs256(claims().subject(null).build()), "who it is"));
  }

  @Test
  void refusesEverythingElse() throws Exception {
    refused()
        .forEach(
            row -> {
              String reason = reason(row.token);
              assertTrue(reason.matches(".*(" + row.reason + ").*"), row.what + ": " + reason);
            });
    assertEquals(1, asked.get(), "the issuer alone, and once");
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void allowsForClocksThatDiffer() {
    assertEquals(
        "ada",
        identify(
                rs256(
                    claims()
                        .expirationTime(Date.from(NOW.minusSeconds(29)))
                        .notBeforeTime(Date.from(NOW.minusSeconds(900)))
                        .build()))
            .name());
  }

  @Test
  void aTokenEndsToTheSecondAlsoWhereItIsRemembered() {
    String token = rs256(claims().expirationTime(Date.from(NOW.plusSeconds(2))).build());
    identify(token);
    now.set(NOW.plusSeconds(32));
    assertEquals("the token has expired", reason(token));
  }

  @Test
  void asksForAKeyThatIsNotKnownAndNotTooOften() throws JOSEException {
    identify(rs256(claims().build()));
    RSAKey fresh = new RSAKeyGenerator(2048).keyID("three").generate();
    String token = signed(header("three").build(), claims().build(), signer(fresh));
    assertEquals("the issuer has no such key", reason(token));
    assertEquals(1, asked.get(), "asked a moment ago");

    published.set(List.of(rsa, fresh));
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertEquals("ada", identify(token).name());
    assertEquals(2, asked.get());

    published.set(List.of(fresh));
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertEquals("the issuer has no such key", reason(rs256(claims().build())), "withdrawn");
  }

  @Test
  void anIssuerThatIsAwayIsNoReasonToForgetItsKeys() {
    identify(rs256(claims().build()));
    status.set(503);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertEquals("ada", identify(rs256(claims().build())).name());
  }

  @Test
  void withoutKeysNobodyIsLetIn() {
    status.set(503);
    assertTrue(reason(rs256(claims().build())).contains("not known"));
    status.set(200);
    issuer = "http://127.0.0.1:1";
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertTrue(reason(rs256(claims().build())).matches(".*(not known|another issuer).*"));
  }

  @Test
  void keysMayBeAtAPlaceThatIsSet() {
    tokens = tokens(issuer + "/keys");
    assertEquals("ada", identify(rs256(claims().build())).name());
  }

  @Test
  void theTypeMayBeLeftOutOrBeThatOfAnAccessToken() {
    for (String type : List.of("JWT", "at+jwt", "AT+JWT")) {
      JWSHeader header = header("one").type(new JOSEObjectType(type)).build();
      assertEquals("ada", identify(signed(header, claims().build(), signer(rsa))).name());
    }
    JWSHeader none = header("one").type(null).build();
    assertEquals("ada", identify(signed(none, claims().build(), signer(rsa))).name());
  }

  @Test
  void nobodyPassesForTheHolderOfAKeyByHisName() {
    Caller eve = identify(rs256(claims().subject("operator (key admin)").build()));

    assertEquals("token:operator (key admin)", eve.text());
  }

  @Test
  void aKnownKeyHoldsWhileTheIssuerHangs() {
    identify(rs256(claims().build()));
    hangs.set(true);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    Future<Caller> first = onLoop(rs256(claims().subject("bob").build()));
    Await.until("a request to the issuer", () -> !hung.isEmpty());

    assertEquals("eve", identify(rs256(claims().subject("eve").build())).name());

    assertFalse(first.isComplete());
    hung.forEach(request -> request.connection().close());
    assertEquals("bob", await(first).name());
  }

  @Test
  void whoeverMustWaitForAnIssuerThatHangsIsToldToComeBack() {
    hangs.set(true);
    List<Future<Caller>> all =
        Stream.of("ada", "bob", "eve")
            .map(name -> onLoop(rs256(claims().subject(name).build())))
            .toList();
    Await.until("a request to the issuer", () -> !hung.isEmpty());
    hung.forEach(request -> request.connection().close());

    for (Future<Caller> one : all) {
      CompletionException e = assertThrows(CompletionException.class, () -> await(one));
      LoginException failure = assertInstanceOf(LoginException.class, e.getCause());
      assertEquals(LoginException.Kind.UNAVAILABLE, failure.kind());
      assertEquals(Duration.ofSeconds(30), failure.retryAfter());
    }
    assertEquals(1, hung.size());
  }
}
