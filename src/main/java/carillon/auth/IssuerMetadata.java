package carillon.auth;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Set;

/**
 * Metadata of the token issuer: its discovery document (OpenID Connect Discovery 1.0). Each address
 * in it must be https, or on this machine; it is looked at when it is asked for.
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

  /** Where its keys are. */
  URI keys() {
    return endpoint("jwks_uri");
  }

  private URI endpoint(String name) {
    URI uri = URI.create(String.valueOf(document.getString(name)));
    if (!isSafe(uri)) {
      throw new IllegalStateException(name + " of the issuer is not https");
    }
    return uri;
  }

  /** https, or this machine. */
  private static boolean isSafe(URI uri) {
    return uri.getHost() != null
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
  }
}
