package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.job.Authentication;
import carillon.job.Authentication.ActiveDirectoryOAuth;
import carillon.job.Authentication.Basic;
import carillon.job.Authentication.ClientCertificate;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Makes of an authentication what is sent. Confined to the event loop that made it. */
final class Authenticator {
  private static final Future<Credentials> NONE = Future.succeededFuture(Credentials.NONE);

  private final InstantSource clock;
  private final DispatchSettings settings;
  private final TokenSource tokens;

  Authenticator(InstantSource clock, DispatchSettings settings, TokenSource tokens) {
    this.clock = clock;
    this.settings = settings;
    this.tokens = tokens;
  }

  /**
   * The credentials for one attempt; may fail with {@link AuthenticationFailure}.
   *
   * @param authentication with its secrets in clear
   */
  Future<Credentials> credentials(Optional<Authentication> authentication) {
    if (authentication.isEmpty()) {
      return NONE;
    }
    if (authentication.get() instanceof Basic basic) {
      return Future.succeededFuture(basic(basic));
    }
    return authentication.get() instanceof ClientCertificate certificate
        ? certificate(certificate)
        : token((ActiveDirectoryOAuth) authentication.get());
  }

  Future<Void> close() {
    return tokens.close();
  }

  private static Credentials basic(Basic basic) {
    byte[] pair =
        (basic.username() + ":" + basic.password().text()).getBytes(StandardCharsets.UTF_8);
    String encoded = Base64.getEncoder().encodeToString(pair);
    return Credentials.header(
        "Basic " + encoded, List.of(encoded, basic.password().text()), () -> {});
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
          new AuthenticationFailure("the client certificate expired at " + expired.get()));
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

  private Future<Credentials> token(ActiveDirectoryOAuth oauth) {
    return tokens
        .token(oauth)
        .map(
            token ->
                Credentials.header(
                    "Bearer " + token,
                    List.of(token, oauth.secret().text()),
                    () -> tokens.forget(oauth, token)));
  }
}
