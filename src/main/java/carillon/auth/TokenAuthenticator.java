package carillon.auth;

import carillon.access.Caller;
import carillon.auth.JwtVerifier.Proven;
import carillon.auth.JwtVerifier.TokenRefusedException;
import carillon.auth.JwtVerifier.Unverified;
import carillon.bounded.AsyncCache;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Authenticator by token. Caches verified tokens by their hashes, so that the signature is not
 * computed for each request. Confined to one event loop.
 */
final class TokenAuthenticator {
  private static final Duration KEPT = Duration.ofSeconds(5);

  private final JwtVerifier rules;
  private final JwksClient issuer;
  private final InstantSource clock;
  private final AsyncCache<Proven> recent;

  TokenAuthenticator(
      JwtVerifier rules, JwksClient issuer, InstantSource clock, LongSupplier nanoClock) {
    this.rules = rules;
    this.issuer = issuer;
    this.clock = clock;
    this.recent = new AsyncCache<>(KEPT, nanoClock);
  }

  /** Identifies the caller by a token. Fails with a {@link LoginException}. */
  Future<Caller> identify(String token) {
    Future<Proven> proven = recent.get(hash(token), () -> prove(token));
    return proven.succeeded() ? current(proven.result()) : proven.compose(this::current);
  }

  private Future<Proven> prove(String token) {
    try {
      Unverified read = rules.read(token);
      return issuer
          .keysFor(read)
          .compose(
              keys -> {
                try {
                  return Future.succeededFuture(rules.verify(read, keys, clock.instant()));
                } catch (TokenRefusedException e) {
                  return refused(e);
                }
              });
    } catch (TokenRefusedException e) {
      return refused(e);
    }
  }

  private static <T> Future<T> refused(TokenRefusedException e) {
    return Future.failedFuture(LoginException.refused(e.getMessage()));
  }

  private Future<Caller> current(Proven proven) {
    return clock.instant().isBefore(proven.until())
        ? Future.succeededFuture(proven.caller())
        : Future.failedFuture(LoginException.refused("the token has expired"));
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
