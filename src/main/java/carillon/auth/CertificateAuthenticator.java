package carillon.auth;

import carillon.access.Caller;
import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Finds out whose client certificate it is. The handshake has settled that it is trusted; who it is
 * is found out once per TLS session, whether it still holds with every request. Confined to one
 * event loop.
 */
final class CertificateAuthenticator {
  private static final String IDENTITY = "carillon.identity";

  private final CertificateGrants rules;
  private final InstantSource clock;

  CertificateAuthenticator(CertificateGrants rules, InstantSource clock) {
    this.rules = rules;
    this.clock = clock;
  }

  /** Fails with a {@link LoginException}. */
  Future<Caller> identify(HttpConnection connection) {
    SSLSession session = connection.sslSession();
    Optional<X509Certificate> certificate =
        session == null ? Optional.empty() : certificate(session);
    if (certificate.isEmpty()) {
      return Future.failedFuture(LoginException.missing());
    }
    try {
      certificate.get().checkValidity(Date.from(clock.instant()));
    } catch (CertificateException e) {
      return Future.failedFuture(
          LoginException.refused("the client certificate does not hold now"));
    }
    return identity(session, certificate.get())
        .map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    LoginException.refused("no rule speaks of the client certificate")));
  }

  private static Optional<X509Certificate> certificate(SSLSession session) {
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate certificate
          ? Optional.of(certificate)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private Optional<Caller> identity(SSLSession session, X509Certificate certificate) {
    if (session.getValue(IDENTITY) instanceof Caller known) {
      return Optional.of(known);
    }
    Optional<Caller> found = rules.identity(certificate);
    found.ifPresent(caller -> session.putValue(IDENTITY, caller));
    return found;
  }
}
