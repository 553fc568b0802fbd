package carillon.auth;

import carillon.access.Caller;
import carillon.access.Grant;
import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Grants to the holders of client certificates. TLS checks before that an authority of the operator
 * has signed the certificate.
 *
 * @param rules by common name or fingerprint
 */
public record CertificateGrants(List<SubjectGrant> rules) {
  /** No grants. */
  public static final CertificateGrants NONE = new CertificateGrants(List.of());

  /** Key of the caller in a TLS session. */
  private static final String CALLER = "carillon.identity";

  private static final String NAME = "cn:";
  private static final String FINGERPRINT = "sha256:";
  private static final String FORM = "must be cn:NAME=role:scope or sha256:FINGERPRINT=role:scope";

  public CertificateGrants {
    rules = List.copyOf(rules);
  }

  /**
   * Grant to the holder of a certificate.
   *
   * @param subject {@code cn:} and the common name, or {@code sha256:} and the fingerprint in small
   *     hex digits
   */
  public record SubjectGrant(String subject, Grant grant) {}

  /**
   * Reads {@code subject=grant}.
   *
   * @throws IllegalArgumentException that quotes the entry and says the rule
   */
  public static CertificateGrants parse(List<String> entries) {
    return new CertificateGrants(entries.stream().map(CertificateGrants::rule).toList());
  }

  private static SubjectGrant rule(String entry) {
    int equals = entry.lastIndexOf('=');
    String subject = equals < 0 ? "" : entry.substring(0, equals);
    try {
      if (subject.startsWith(NAME) && subject.length() > NAME.length()) {
        return new SubjectGrant(subject, Grant.parse(entry.substring(equals + 1)));
      }
      String hex = subject.replace(":", "").toLowerCase(Locale.ROOT).replaceFirst("^sha256", "");
      if (subject.startsWith(FINGERPRINT) && hex.matches("[0-9a-f]{64}")) {
        return new SubjectGrant(FINGERPRINT + hex, Grant.parse(entry.substring(equals + 1)));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + entry + "' " + FORM + "; " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("'" + entry + "' " + FORM);
  }

  /**
   * Identifies the caller by the client certificate of the connection. The handshake has checked
   * that it is trusted. Its holder is determined once for each TLS session; its validity is checked
   * with every request. Fails with a {@link LoginException}.
   */
  Future<Caller> identify(HttpConnection connection, Instant now) {
    SSLSession session = connection.sslSession();
    Optional<X509Certificate> shown = session == null ? Optional.empty() : certificate(session);
    if (shown.isEmpty()) {
      return Future.failedFuture(LoginException.missing());
    }
    try {
      shown.get().checkValidity(Date.from(now));
    } catch (CertificateException e) {
      return Future.failedFuture(LoginException.refused("the client certificate is not valid now"));
    }
    return caller(session, shown.get())
        .map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    LoginException.refused("no rule matches the client certificate")));
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

  private Optional<Caller> caller(SSLSession session, X509Certificate certificate) {
    if (session.getValue(CALLER) instanceof Caller known) {
      return Optional.of(known);
    }
    Optional<Caller> found = identity(certificate);
    found.ifPresent(caller -> session.putValue(CALLER, caller));
    return found;
  }

  /** The caller whom this certificate identifies; empty if no rule matches it. */
  public Optional<Caller> identity(X509Certificate certificate) {
    String name = commonName(certificate);
    String fingerprint = FINGERPRINT + fingerprint(certificate);
    List<Grant> grants = new ArrayList<>();
    for (SubjectGrant rule : rules) {
      if (rule.subject.equals(NAME + name) || rule.subject.equals(fingerprint)) {
        grants.add(rule.grant);
      }
    }
    return grants.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Caller(
                name.isEmpty() || !Caller.isPrintable(name) ? fingerprint : name,
                Caller.AuthenticationMethod.CERTIFICATE,
                "",
                grants));
  }

  /** The most specific one; empty when there is none. */
  private static String commonName(X509Certificate certificate) {
    try {
      List<Rdn> names = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
      for (int i = names.size() - 1; i >= 0; i--) {
        if (names.get(i).getType().equalsIgnoreCase("CN")) {
          return String.valueOf(names.get(i).getValue());
        }
      }
      return "";
    } catch (InvalidNameException e) {
      return "";
    }
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
