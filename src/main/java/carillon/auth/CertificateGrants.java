package carillon.auth;

import carillon.access.Caller;
import carillon.access.Grant;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * What the holders of client certificates may do. Whether a certificate is to be trusted is settled
 * before: the authority that signed it is the operator's.
 *
 * @param rules by common name or fingerprint
 */
public record CertificateGrants(List<Rule> rules) {
  /** Nobody may do anything. */
  public static final CertificateGrants NONE = new CertificateGrants(List.of());

  private static final String NAME = "cn:";
  private static final String FINGERPRINT = "sha256:";
  private static final String FORM = "must be cn:NAME=role:scope or sha256:FINGERPRINT=role:scope";

  public CertificateGrants {
    rules = List.copyOf(rules);
  }

  /**
   * A grant to whoever shows such a certificate.
   *
   * @param subject {@code cn:} and the common name, or {@code sha256:} and the fingerprint in small
   *     hex digits
   */
  public record Rule(String subject, Grant grant) {}

  /**
   * Reads {@code subject=grant}.
   *
   * @throws IllegalArgumentException that quotes the entry and says the rule
   */
  public static CertificateGrants parse(List<String> entries) {
    return new CertificateGrants(entries.stream().map(CertificateGrants::rule).toList());
  }

  private static Rule rule(String entry) {
    int equals = entry.lastIndexOf('=');
    String subject = equals < 0 ? "" : entry.substring(0, equals);
    try {
      if (subject.startsWith(NAME) && subject.length() > NAME.length()) {
        return new Rule(subject, Grant.parse(entry.substring(equals + 1)));
      }
      String hex = subject.replace(":", "").toLowerCase(Locale.ROOT).replaceFirst("^sha256", "");
      if (subject.startsWith(FINGERPRINT) && hex.matches("[0-9a-f]{64}")) {
        return new Rule(FINGERPRINT + hex, Grant.parse(entry.substring(equals + 1)));
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + entry + "' " + FORM + "; " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("'" + entry + "' " + FORM);
  }

  /** Who shows this certificate, if any rule speaks of him. */
  public Optional<Caller> identity(X509Certificate certificate) {
    String name = commonName(certificate);
    String fingerprint = FINGERPRINT + fingerprint(certificate);
    List<Grant> grants = new ArrayList<>();
    for (Rule rule : rules) {
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
