package carillon.job;

import java.util.Locale;

/**
 * Host and port that a call connects to. Calls of equal destinations share its connections and its
 * places at a node.
 *
 * @param host name or address in lower case, IPv6 without brackets
 * @param port 1 to 65535; 0 where there is none
 */
public record Destination(String host, int port) {
  /**
   * Streams and lists in the scheduler's Redis, which are reached by no connection of their own.
   */
  public static final Destination OWN_QUEUES = new Destination("carillon-queue", 0);

  public Destination {
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Host and port as an address has them; the host alone where there is no port. */
  public String authority() {
    if (port == 0) {
      return host;
    }
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
