package carillon.job;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How an HTTP call proves to its target who calls. Secrets are never answered. */
public sealed interface Authentication {
  /** Fields of secrets, as {@link Secret.Mapping} names them. */
  String PLACE = "request.authentication.";

  /** The same with every secret replaced. */
  Authentication mapSecrets(Secret.Mapping mapping);

  /** The type, and what names the party within it; see {@link Call#secretOwner}. */
  List<String> owner();

  /** The same with the secrets that were not given taken from another of the same owner. */
  Authentication keeping(Authentication stored);

  /** User name and password (RFC 7617). */
  record Basic(String username, Secret password) implements Authentication {
    @Override
    public Basic mapSecrets(Secret.Mapping mapping) {
      return new Basic(username, mapping.apply(PLACE + "password", password));
    }

    @Override
    public List<String> owner() {
      return List.of("basic", username);
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return password.isKept() ? stored : this;
    }
  }

  /**
   * A certificate that is shown in the TLS handshake.
   *
   * @param pfx PKCS #12 with certificate and private key, base64
   * @param password of the PFX; the empty text where it has none
   * @param certificate what the PFX was found to hold; empty until somebody has looked
   */
  record ClientCertificate(Secret pfx, Secret password, Optional<Certificate> certificate)
      implements Authentication {
    @Override
    public ClientCertificate mapSecrets(Secret.Mapping mapping) {
      return new ClientCertificate(
          mapping.apply(PLACE + "pfx", pfx),
          mapping.apply(PLACE + "password", password),
          certificate);
    }

    /** There is no other name for it than the certificate itself. */
    @Override
    public List<String> owner() {
      return List.of("clientCertificate");
    }

    /** PFX and password belong together. */
    @Override
    public Authentication keeping(Authentication stored) {
      return pfx.isKept() ? stored : this;
    }
  }

  /**
   * What is told of a client certificate.
   *
   * @param thumbprint SHA-1 of its DER form, 40 hex digits in upper case
   * @param expiration when it ends
   * @param subjectName such as {@code CN=client}
   */
  record Certificate(String thumbprint, Instant expiration, String subjectName) {}

  /**
   * A bearer token that an authority gives for client credentials (RFC 6749, section 4.4).
   *
   * @param tenant within the authority
   * @param audience what the token is for: the {@code resource} of the request
   */
  record ActiveDirectoryOAuth(String tenant, String audience, String clientId, Secret secret)
      implements Authentication {
    @Override
    public ActiveDirectoryOAuth mapSecrets(Secret.Mapping mapping) {
      return new ActiveDirectoryOAuth(
          tenant, audience, clientId, mapping.apply(PLACE + "secret", secret));
    }

    @Override
    public List<String> owner() {
      return List.of("activeDirectoryOAuth", tenant, clientId);
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return secret.isKept() && stored instanceof ActiveDirectoryOAuth old
          ? new ActiveDirectoryOAuth(tenant, audience, clientId, old.secret)
          : this;
    }
  }
}
