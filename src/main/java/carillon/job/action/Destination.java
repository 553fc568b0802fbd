package carillon.job.action;

import java.util.Locale;
import java.util.Optional;

/**
 * Host and port that a call connects to. Calls of equal destinations share its connections and its
 * slots on a node.
 *
 * @param host name or address in lower case, IPv6 without brackets
 * @param port 1 to 65535; 0 if there is none
 */
public record Destination(String host, int port) {
  /** Streams and lists in the scheduler's Redis, which need no separate connection. */
  public static final Destination OWN_QUEUES = new Destination("carillon-queue", 0);

  public Destination {
    host = host.toLowerCase(Locale.ROOT);
  }

  /** Reads an {@link #authority}. Empty if the text is none. */
  public static Optional<Destination> ofAuthority(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    boolean isBracketed = host.startsWith("[") && host.endsWith("]");
    try {
      int port = colon < 0 ? 0 : Integer.parseInt(text.substring(colon + 1));
      return Optional.of(
          new Destination(isBracketed ? host.substring(1, host.length() - 1) : host, port));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Host and port in the form of an address, or the host alone if there is no port. */
  public String authority() {
    if (port == 0) {
      return host;
    }
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
