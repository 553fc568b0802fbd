package carillon.config;

import java.net.URI;
import java.util.Set;

/** An address to which a secret may be sent, or whose answers are believed. */
final class HttpsOrLoopback {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private HttpsOrLoopback() {}

  /** Whether it has a host and no user, and is {@code https}, or {@code http} on this machine. */
  static boolean holds(URI uri) {
    return uri.getHost() != null
        && uri.getRawUserInfo() == null
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost())));
  }
}
