package carillon.auth;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Metadata of the token issuer: its discovery document (OpenID Connect Discovery 1.0). Each address
 * in it must be https, or on this machine if the issuer is. It is checked on use.
 */
record IssuerMetadata(JsonObject document) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Reads the document of an issuer. Throws an exception when it is of another. */
  static IssuerMetadata parse(String json, String issuer) {
    JsonObject document = new JsonObject(json);
    if (!issuer.equals(document.getString("issuer"))) {
      throw new IllegalStateException("the discovery document names another issuer");
    }
    return new IssuerMetadata(document);
  }

  /** Returns the address of the issuer's keys. */
  URI keys() {
    return endpoint("jwks_uri");
  }

  URI authorizationEndpoint() {
    return endpoint("authorization_endpoint");
  }

  URI tokenEndpoint() {
    return endpoint("token_endpoint");
  }

  Optional<URI> userinfoEndpoint() {
    return optional("userinfo_endpoint");
  }

  /**
   * Returns the address at which a person signs out of the issuer (OpenID Connect RP-Initiated
   * Logout 1.0).
   */
  Optional<URI> endSessionEndpoint() {
    return optional("end_session_endpoint");
  }

  /** Whether every authorization response says who sent it (RFC 9207). */
  boolean namesItself() {
    return Boolean.TRUE.equals(document.getValue("authorization_response_iss_parameter_supported"));
  }

  /** Whether clients authenticate by Basic authentication, which is the default. */
  boolean takesBasicAuthentication() {
    return !(document.getValue("token_endpoint_auth_methods_supported") instanceof JsonArray ways)
        || ways.contains("client_secret_basic");
  }

  private Optional<URI> optional(String name) {
    return document.containsKey(name) ? Optional.of(endpoint(name)) : Optional.empty();
  }

  private URI endpoint(String name) {
    URI uri = URI.create(String.valueOf(document.getString(name)));
    if (!isSafe(uri)) {
      throw new IllegalStateException(name + " of the issuer is not https");
    }
    return uri;
  }

  /** Whether the address is https, or on this machine if the issuer is too. */
  private boolean isSafe(URI uri) {
    return uri.getHost() != null
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme())
                && LOOPBACK.contains(uri.getHost())
                && document.getString("issuer").startsWith("http:")));
  }
}
