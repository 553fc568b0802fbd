package carillon.login;

import carillon.access.Identity;
import carillon.login.TokenRules.Proven;
import carillon.login.TokenRules.Refused;
import carillon.login.TokenRules.Unverified;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.LongSupplier;

/**
 * Finds out whose token it is. One that was verified is remembered, by its hash, so that its
 * signature is not computed again for each request. Confined to one event loop.
 */
final class KnownTokens {
  private static final Duration KEPT = Duration.ofSeconds(5);

  private final TokenRules rules;
  private final Issuer issuer;
  private final InstantSource clock;
  private final Recent<Proven> recent;

  KnownTokens(TokenRules rules, Issuer issuer, InstantSource clock, LongSupplier nanoClock) {
    this.rules = rules;
    this.issuer = issuer;
    this.clock = clock;
    this.recent = new Recent<>(KEPT, nanoClock);
  }

  /** Fails with a {@link LoginFailure}. */
  Future<Identity> identify(String token) {
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
                } catch (Refused e) {
                  return refused(e);
                }
              });
    } catch (Refused e) {
      return refused(e);
    }
  }

  private static <T> Future<T> refused(Refused e) {
    return Future.failedFuture(LoginFailure.refused(e.getMessage()));
  }

  private Future<Identity> current(Proven proven) {
    return clock.instant().isBefore(proven.until())
        ? Future.succeededFuture(proven.identity())
        : Future.failedFuture(LoginFailure.refused("the token has expired"));
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
