package carillon.auth;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.Caller;
import carillon.config.AccessSettings.TokensSettings;
import carillon.config.Settings;
import carillon.config.TestSettings;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of tests with an issuer of tokens, an HTTP server for its keys, and a node that trusts it.
 */
abstract class TokensFixture {
  static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  static final String AUDIENCE = "carillon";

  static RSAKey rsa;
  static RSAKey otherRsa;
  static ECKey ec;

  final Vertx vertx = Vertx.vertx();
  final Context loop = vertx.getOrCreateContext();
  final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  final AtomicLong nanos = new AtomicLong(1);
  final AtomicReference<List<JWK>> published = new AtomicReference<>();
  final AtomicInteger status = new AtomicInteger(200);
  final AtomicInteger asked = new AtomicInteger();
  final AtomicBoolean hangs = new AtomicBoolean();
  final List<HttpServerRequest> hung = new CopyOnWriteArrayList<>();
  HttpServer server;
  String issuer;
  TokenAuthenticator tokens;

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

  TokenAuthenticator tokens(String keys) {
    TokensSettings settings =
        TestSettings.with(
            Settings.defaults().access().tokens(),
            "issuer=" + issuer,
            "audience=" + AUDIENCE,
            "keys=" + keys,
            "roles=boss=admin:*,billing=writer:default/default/b");
    JwtVerifier rules = JwtVerifier.of(settings);
    return new TokenAuthenticator(
        rules,
        new JwksClient(settings, new IssuerClient(vertx, settings), nanos::get),
        now::get,
        nanos::get);
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** Checks a token on an event loop, to which all checks are confined. */
  Caller identify(String token) {
    return await(onLoop(token));
  }

  Future<Caller> onLoop(String token) {
    Promise<Caller> promise = Promise.promise();
    loop.runOnContext(go -> tokens.identify(token).onComplete(promise));
    return promise.future();
  }

  String reason(String token) {
    CompletionException e = assertThrows(CompletionException.class, () -> identify(token));
    assertTrue(e.getCause() instanceof LoginException, String.valueOf(e.getCause()));
    return e.getCause().getMessage();
  }

  JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(issuer)
        .audience(List.of("another", AUDIENCE))
        .subject("ada")
        .claim("roles", List.of("billing", "unknown"))
        .expirationTime(Date.from(NOW.plusSeconds(600)));
  }

  static String signed(JWSHeader.Builder header, JWTClaimsSet.Builder claims, JWSSigner signer) {
    try {
      SignedJWT token = new SignedJWT(header.build(), claims.build());
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static JWSHeader.Builder header(String key) {
    return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key).type(JOSEObjectType.JWT);
  }

  static JWSSigner signer(RSAKey key) {
    try {
      return new RSASSASigner(key);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String rs256(JWTClaimsSet.Builder claims) {
    return signed(header("one"), claims, signer(rsa));
  }
}
