package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.config.Settings.OAuthSettings;
import carillon.dispatch.call.AuthenticationException;
import carillon.job.action.Authentication;
import carillon.job.action.Authentication.ActiveDirectoryOAuth;
import carillon.job.action.Authentication.ApiKeyCredential;
import carillon.job.action.Authentication.Basic;
import carillon.job.action.Authentication.Bearer;
import carillon.job.action.Authentication.ClientCertificate;
import carillon.job.action.Authentication.ClientCredentials;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Authenticator of calls: turns the authentication of a job into the credentials that its calls
 * send. Confined to the event loop that made it.
 */
public final class Authenticator {
  private static final Future<Credentials> NONE = Future.succeededFuture(Credentials.NONE);

  private final InstantSource clock;
  private final DispatchSettings settings;
  private final OAuthSettings oauth;
  private final OAuthTokenCache tokens;

  public Authenticator(
      InstantSource clock, DispatchSettings settings, OAuthSettings oauth, OAuthTokenCache tokens) {
    this.clock = clock;
    this.settings = settings;
    this.oauth = oauth;
    this.tokens = tokens;
  }

  /**
   * The credentials for one attempt; may fail with {@link AuthenticationException}.
   *
   * @param collection the key of the job's collection
   * @param authentication with its secrets in clear
   */
  Future<Credentials> credentials(String collection, Optional<Authentication> authentication) {
    if (authentication.isEmpty()) {
      return NONE;
    }
    if (authentication.get() instanceof Basic basic) {
      return Future.succeededFuture(basic(basic));
    }
    if (authentication.get() instanceof Bearer bearer) {
      return Future.succeededFuture(bearer(bearer.token().text(), bearer.token().text(), () -> {}));
    }
    if (authentication.get() instanceof ApiKeyCredential key) {
      return Future.succeededFuture(apiKey(key));
    }
    return authentication.get() instanceof ClientCertificate certificate
        ? certificate(certificate)
        : token(collection, grant(authentication.get()));
  }

  private ClientCredentialsGrant grant(Authentication authentication) {
    return authentication instanceof ClientCredentials client
        ? ClientCredentialsGrant.of(client)
        : ClientCredentialsGrant.of((ActiveDirectoryOAuth) authentication, oauth);
  }

  Future<Void> close() {
    return tokens.close();
  }

  private static Credentials basic(Basic basic) {
    String pair = basic.username() + ":" + basic.password().text();
    String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return Credentials.authorization(
        "Basic " + encoded, List.of(encoded, pair, basic.password().text()), () -> {});
  }

  private static Credentials bearer(String token, String secret, Runnable refused) {
    return Credentials.authorization("Bearer " + token, List.of(token, secret), refused);
  }

  private static Credentials apiKey(ApiKeyCredential key) {
    String value = key.value().text();
    if (key.in() == ApiKeyCredential.In.HEADER) {
      return Credentials.header(key.name(), value, List.of(value), () -> {});
    }
    String encoded = encoded(value);
    return Credentials.parameter(encoded(key.name()) + "=" + encoded, List.of(encoded, value));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Vert.x reads the PFX on a worker thread and remembers it (256 of them); connections are shared
   * by calls with the same certificate only.
   */
  private Future<Credentials> certificate(ClientCertificate given) {
    Optional<Instant> expired =
        given
            .certificate()
            .map(Authentication.Certificate::expiration)
            .filter(end -> !clock.instant().isBefore(end));
    if (expired.isPresent()) {
      return Future.failedFuture(
          new AuthenticationException("the client certificate expired at " + expired.get()));
    }
    PfxOptions pfx =
        new PfxOptions()
            .setValue(Buffer.buffer(Base64.getMimeDecoder().decode(given.pfx().text())))
            .setPassword(given.password().text());
    ClientSSLOptions tls =
        new ClientSSLOptions()
            .setHostnameVerificationAlgorithm("HTTPS")
            .setUseAlpn(true)
            .setKeyCertOptions(pfx);
    HttpClients.trust(settings).ifPresent(tls::setTrustOptions);
    return Future.succeededFuture(Credentials.certificate(tls));
  }

  private Future<Credentials> token(String collection, ClientCredentialsGrant grant) {
    return tokens
        .token(collection, grant)
        .map(token -> bearer(token, grant.secret(), () -> tokens.forget(grant, token)));
  }
}
