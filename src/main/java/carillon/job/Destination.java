package carillon.job;

import java.util.Locale;

/**
 * The place that a call connects to. Calls of equal destinations share its connections and its
 * share of a node.
 *
 * @param host name or address in lower case, IPv6 without brackets
 * @param port 1 to 65535
 */
public record Destination(String host, int port) {
  public Destination {
    host = host.toLowerCase(Locale.ROOT);
  }
}
