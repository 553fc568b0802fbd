package carillon.dispatch.http;

import carillon.config.Settings.OAuthSettings;
import carillon.job.action.Authentication.ActiveDirectoryOAuth;
import carillon.job.action.Authentication.ClientCredentials;
import carillon.job.action.HttpTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Request for a token by the client credentials grant (RFC 6749, section 4.4), its secret in clear.
 *
 * @param endpoint address of the request
 * @param isTrusted whether the operator chose the endpoint, so that the egress policy does not bind
 *     it
 * @param authorization header of a client that authenticates by it
 * @param form body
 * @param secret that no message may repeat
 */
record ClientCredentialsGrant(
    HttpTarget endpoint,
    boolean isTrusted,
    Optional<String> authorization,
    String form,
    String secret) {
  private static final String GRANT = "grant_type=client_credentials";

  /**
   * The request that Azure Active Directory takes: {@code POST <authority>/<tenant>/oauth2/token}
   * with the audience as {@code resource} (RFC 8707).
   */
  static ClientCredentialsGrant of(ActiveDirectoryOAuth oauth, OAuthSettings settings) {
    String authority = settings.authority().toString().replaceAll("/+$", "");
    String secret = oauth.secret().text();
    return new ClientCredentialsGrant(
        HttpTarget.parse(authority + "/" + oauth.tenant() + "/oauth2/token"),
        true,
        Optional.empty(),
        GRANT
            + parameter("client_id", oauth.clientId())
            + parameter("client_secret", secret)
            + parameter("resource", oauth.audience()),
        secret);
  }

  /** The request that any other authorization server takes. */
  static ClientCredentialsGrant of(ClientCredentials client) {
    String secret = client.clientSecret().text();
    boolean isBasic = client.method() == ClientCredentials.Method.BASIC;
    String form =
        GRANT
            + client.scope().map(scope -> parameter("scope", scope)).orElse("")
            + client.audience().map(audience -> parameter("audience", audience)).orElse("");
    return new ClientCredentialsGrant(
        HttpTarget.parse(client.tokenUrl()),
        false,
        isBasic ? Optional.of(basic(client.clientId(), secret)) : Optional.empty(),
        isBasic
            ? form
            : form + parameter("client_id", client.clientId()) + parameter("client_secret", secret),
        secret);
  }

  private static String parameter(String name, String value) {
    return "&" + name + "=" + encoded(value);
  }

  /**
   * Returns the header of Basic authentication. Both parts are encoded first (RFC 6749, section
   * 2.3.1).
   */
  private static String basic(String clientId, String secret) {
    byte[] pair = (encoded(clientId) + ":" + encoded(secret)).getBytes(StandardCharsets.US_ASCII);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * Returns a hash of the request. It differs between any two different requests, and reveals
   * nothing else.
   */
  String digest() {
    String all =
        endpoint.origin() + endpoint.path() + "\n" + authorization.orElse("") + "\n" + form;
    try {
      byte[] bytes = all.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Shows the authority only. */
  @Override
  public String toString() {
    return "ClientCredentialsGrant[" + endpoint.authority() + "]";
  }
}
