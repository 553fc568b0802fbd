package carillon.auth;

import carillon.auth.JwtVerifier.KeySet;
import carillon.auth.JwtVerifier.Unverified;
import carillon.config.AccessSettings.TokensSettings;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client for the key set (JWKS) of the token issuer. Keeps the keys for ten minutes. An unknown key
 * makes it fetch them again, but at most every 30 seconds, so that invented key ids do not become
 * requests. Confined to one event loop.
 */
final class JwksClient {
  private static final Logger LOG = LoggerFactory.getLogger(JwksClient.class);
  private static final long FRESH_NANOS = Duration.ofMinutes(10).toNanos();
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();

  private final TokensSettings settings;
  private final IssuerClient issuer;
  private final LongSupplier nanoClock;
  private Optional<KeySet> keys = Optional.empty();
  private Future<KeySet> pending;
  private boolean hasAsked;
  private long asked;

  JwksClient(TokensSettings settings, IssuerClient issuer, LongSupplier nanoClock) {
    this.settings = settings;
    this.issuer = issuer;
    this.nanoClock = nanoClock;
  }

  /** The key set, with the key that the token names if the issuer has it. */
  Future<KeySet> keysFor(Unverified token) {
    long now = nanoClock.getAsLong();
    boolean known = keys.filter(set -> set.has(token)).isPresent();
    if (known && now - asked < FRESH_NANOS) {
      return Future.succeededFuture(keys.get());
    }
    if (pending != null) {
      // A hanging issuer does not delay tokens with a known key.
      return known ? Future.succeededFuture(keys.get()) : pending;
    }
    if (hasAsked && now - asked < PAUSE_NANOS) {
      return keys.map(Future::succeededFuture).orElseGet(() -> away(PAUSE_NANOS - (now - asked)));
    }
    hasAsked = true;
    asked = now;
    Future<KeySet> fetching = fetched();
    pending = fetching;
    fetching.onComplete(done -> pending = null);
    return fetching;
  }

  /** Fetches the keys; on failure the former ones are kept. */
  private Future<KeySet> fetched() {
    return address()
        .compose(issuer::fetch)
        .map(JwksClient::read)
        .onSuccess(set -> keys = Optional.of(set))
        .onFailure(
            failure ->
                LOG.atWarn()
                    .addKeyValue("issuer", settings.issuer().toString())
                    .addKeyValue("error", failure.getMessage())
                    .log("cannot fetch the keys of the token issuer"))
        .recover(failure -> keys.map(Future::succeededFuture).orElseGet(() -> away(PAUSE_NANOS)));
  }

  private static Future<KeySet> away(long nanos) {
    return Future.failedFuture(
        LoginException.unavailable(
            "the keys of the issuer of tokens are not known", Duration.ofNanos(nanos)));
  }

  private static KeySet read(String json) {
    return KeySet.parse(json)
        .orElseThrow(() -> new IllegalStateException("the answer is no JSON Web Key Set"));
  }

  private Future<URI> address() {
    return settings.keys().toString().isEmpty()
        ? issuer.discover().map(IssuerMetadata::keys)
        : Future.succeededFuture(settings.keys());
  }
}
