package carillon.job.action;

import carillon.job.name.WireWord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Authentication of an HTTP call to its target. Secrets are never answered. */
public sealed interface Authentication {
  /** Fields of secrets, as {@link Secret.Mapping} names them. */
  String PLACE = "request.authentication.";

  /** Returns this authentication with every secret replaced. */
  Authentication mapSecrets(Secret.Mapping mapping);

  /**
   * The type, and all that identifies the use of the secret. A stored secret is kept only for an
   * equal owner.
   */
  List<String> owner();

  /** Returns this authentication with its missing secrets taken from another of the same owner. */
  Authentication keeping(Authentication stored);

  /** The header that it sets, if it sets one. */
  default Optional<String> header() {
    return Optional.of("Authorization");
  }

  /** Destination of the request for a token, if the job names one. */
  default Optional<Destination> destination() {
    return Optional.empty();
  }

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
   * @param password of the PFX; an empty text if it has none
   * @param certificate details found in the PFX; empty until it has been read
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

    @Override
    public Optional<String> header() {
      return Optional.empty();
    }

    /** The type alone: only the certificate itself identifies it. */
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
   * Public details of a client certificate.
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
   * @param audience purpose of the token: the {@code resource} of the request
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
      return List.of("activeDirectoryOAuth", tenant, audience, clientId);
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return secret.isKept() ? stored : this;
    }
  }

  /** A fixed token in the header {@code Authorization} (RFC 6750). */
  record Bearer(Secret token) implements Authentication {
    @Override
    public Bearer mapSecrets(Secret.Mapping mapping) {
      return new Bearer(mapping.apply(PLACE + "token", token));
    }

    @Override
    public List<String> owner() {
      return List.of("bearer");
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return token.isKept() ? stored : this;
    }
  }

  /**
   * A key in a header or a parameter of the query.
   *
   * @param name of the header or parameter
   */
  record ApiKeyCredential(String name, Secret value, In in) implements Authentication {
    /** Place of a key. */
    public enum In implements WireWord {
      HEADER,
      QUERY;
    }

    @Override
    public ApiKeyCredential mapSecrets(Secret.Mapping mapping) {
      return new ApiKeyCredential(name, mapping.apply(PLACE + "value", value), in);
    }

    @Override
    public Optional<String> header() {
      return in == In.HEADER ? Optional.of(name) : Optional.empty();
    }

    /** Includes the place, so that a stored key does not move to a visible place. */
    @Override
    public List<String> owner() {
      return List.of("apiKey", in.word(), name);
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return value.isKept() ? stored : this;
    }
  }

  /**
   * A bearer token that an authorization server gives for client credentials (RFC 6749, section
   * 4.4).
   *
   * @param tokenUrl where to ask; https, or http on this machine
   * @param scope of the token, if it is asked for
   * @param audience of the token, if it is asked for
   * @param method by which the client identifies itself
   */
  record ClientCredentials(
      String tokenUrl,
      String clientId,
      Secret clientSecret,
      Optional<String> scope,
      Optional<String> audience,
      Method method)
      implements Authentication {
    /** Method by which a client identifies itself (RFC 6749, section 2.3.1). */
    public enum Method implements WireWord {
      /** Credentials in the header Authorization. */
      BASIC,
      /** Credentials in the body. */
      POST;
    }

    @Override
    public ClientCredentials mapSecrets(Secret.Mapping mapping) {
      return new ClientCredentials(
          tokenUrl,
          clientId,
          mapping.apply(PLACE + "clientSecret", clientSecret),
          scope,
          audience,
          method);
    }

    @Override
    public Optional<Destination> destination() {
      HttpTarget target = HttpTarget.parse(tokenUrl);
      return Optional.of(new Destination(target.host(), target.port()));
    }

    @Override
    public List<String> owner() {
      return List.of(
          "oauth2ClientCredentials", tokenUrl, clientId, scope.orElse(""), audience.orElse(""));
    }

    @Override
    public Authentication keeping(Authentication stored) {
      return clientSecret.isKept() && stored instanceof ClientCredentials old
          ? new ClientCredentials(tokenUrl, clientId, old.clientSecret, scope, audience, method)
          : this;
    }
  }
}
