package carillon.auth;

import carillon.auth.JwtVerifier.KeySet;
import carillon.auth.JwtVerifier.Unverified;
import carillon.config.AccessSettings.TokensSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client for the key set (JWKS) of the token issuer. Keeps the keys for ten minutes and fetches
 * them again for a key that is not among them, though at most every 30 seconds, so that invented
 * key ids do not become requests. Confined to one event loop.
 */
final class JwksClient {
  private static final Logger LOG = LoggerFactory.getLogger(JwksClient.class);
  private static final long FRESH_NANOS = Duration.ofMinutes(10).toNanos();
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_ANSWER = 256 * 1024;
  private static final String DISCOVERY = "/.well-known/openid-configuration";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final TokensSettings settings;
  private final LongSupplier nanoClock;
  private final HttpClient http;
  private Optional<KeySet> keys = Optional.empty();
  private Future<KeySet> pending;
  private boolean hasAsked;
  private long asked;

  JwksClient(Vertx vertx, TokensSettings settings, LongSupplier nanoClock) {
    this.settings = settings;
    this.nanoClock = nanoClock;
    HttpClientOptions options = new HttpClientOptions().setConnectTimeout(5000);
    if (!settings.trustedCa().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(settings.trustedCa()));
    }
    this.http = vertx.createHttpClient(options);
  }

  /** The key set, with the key that the token names if the issuer has it. */
  Future<KeySet> keysFor(Unverified token) {
    long now = nanoClock.getAsLong();
    boolean known = keys.filter(set -> set.has(token)).isPresent();
    if (known && now - asked < FRESH_NANOS) {
      return Future.succeededFuture(keys.get());
    }
    if (pending != null) {
      // A token with a known key does not wait for an issuer that hangs.
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

  /** Fetches the keys; on failure those from before are kept. */
  private Future<KeySet> fetched() {
    return address()
        .compose(this::fetch)
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
    if (!settings.keys().toString().isEmpty()) {
      return Future.succeededFuture(settings.keys());
    }
    String issuer = settings.issuer().toString();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return fetch(URI.create(base + DISCOVERY))
        .map(
            text -> {
              JsonObject document = new JsonObject(text);
              if (!issuer.equals(document.getString("issuer"))) {
                throw new IllegalStateException("the discovery document names another issuer");
              }
              URI keys = URI.create(String.valueOf(document.getString("jwks_uri")));
              if (!isSafe(keys)) {
                throw new IllegalStateException("jwks_uri of the issuer is not https");
              }
              return keys;
            });
  }

  /** https, or this machine. */
  private static boolean isSafe(URI uri) {
    return uri.getHost() != null
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
  }

  /** A redirect is not followed. */
  private Future<String> fetch(URI uri) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setAbsoluteURI(uri.toString())
            .setTimeout(TIMEOUT.toMillis());
    return http.request(options)
        .compose(request -> request.send().compose(JwksClient::body))
        .timeout(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Future<String> body(HttpClientResponse response) {
    String length = response.getHeader("Content-Length");
    boolean isLarge =
        length != null && (length.length() > 6 || Integer.parseInt(length) > MAX_ANSWER);
    // That it was cut off is told by the future.
    response.exceptionHandler(cut -> {});
    if (response.statusCode() != 200 || isLarge) {
      response.request().reset();
      return Future.failedFuture("it answered " + response.statusCode());
    }
    Buffer all = Buffer.buffer();
    response.handler(
        part -> {
          all.appendBuffer(part);
          if (all.length() > MAX_ANSWER) {
            response.request().reset();
          }
        });
    return response.end().map(done -> all.toString());
  }
}
