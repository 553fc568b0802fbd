package carillon.job;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Parsed URI of an HTTP call: scheme, host, port and path, taken apart once and strictly.
 *
 * @param secure https
 * @param host as in the URI, IPv6 without brackets
 * @param port explicit or the scheme's own
 * @param path raw path and query, {@code /} when empty
 */
public record HttpTarget(boolean secure, String host, int port, String path) {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int MAX_PORT = 65_535;

  /**
   * Takes an absolute http or https URI apart.
   *
   * @throws IllegalArgumentException saying which rule it breaks
   */
  public static HttpTarget parse(String text) {
    URI uri = syntax(text);
    boolean secure = "https".equalsIgnoreCase(uri.getScheme());
    if (!secure && !"http".equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException("must be an absolute http or https URI");
    }
    // java.net.URI answers a null host for what it cannot read as server authority, such as
    // "http://a b@c:1:2/".
    if (uri.getHost() == null || uri.getHost().isEmpty()) {
      throw new IllegalArgumentException("must name a host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException("must not hold a user name or password");
    }
    return new HttpTarget(secure, bare(uri.getHost()), port(uri, secure), pathAndQuery(uri));
  }

  private static URI syntax(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "is not a URI (" + e.getReason() + " at index " + e.getIndex() + ")", e);
    }
  }

  private static int port(URI uri, boolean secure) {
    if (uri.getPort() == -1) {
      return secure ? HTTPS : HTTP;
    }
    if (uri.getPort() < 1 || uri.getPort() > MAX_PORT) {
      throw new IllegalArgumentException("port " + uri.getPort() + " is not in 1..65535");
    }
    return uri.getPort();
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static String pathAndQuery(URI uri) {
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
  }

  /** {@code scheme://host:port} in lower case, the port always there. */
  public String origin() {
    return (secure ? "https://" : "http://") + authority().toLowerCase(Locale.ROOT);
  }

  /** {@code host:port}, for messages. */
  public String authority() {
    return host + ":" + port;
  }
}
