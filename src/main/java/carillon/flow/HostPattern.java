package carillon.flow;

import carillon.job.action.Destination;
import carillon.uri.UriAuthority;
import java.util.Locale;

/**
 * Pattern of destinations: a host, or with {@code *.} in front all hosts below one; of any port, or
 * of the one behind a colon.
 *
 * @param isWildcard whether it is about the hosts below {@code host}, and not about that itself
 * @param host in lower case, an IPv6 address without brackets
 * @param port {@link #ANY_PORT} for any
 */
public record HostPattern(boolean isWildcard, String host, int port) {
  /** Port of patterns that match any port. */
  public static final int ANY_PORT = 0;

  private static final String RULE =
      "must be a host such as api.example.com, or *.example.com for all below it, with or without :port";

  private static final int MAX_LENGTH = 253;
  private static final String WILDCARD = "*.";

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when it is none; the message is the rule, to complete a
   *     sentence
   */
  public static HostPattern parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
    }
    boolean isWildcard = text.startsWith(WILDCARD);
    try {
      UriAuthority place =
          UriAuthority.parse(isWildcard ? text.substring(WILDCARD.length()) : text);
      String host = place.host().toLowerCase(Locale.ROOT);
      if (isHost(host, isWildcard) && !text.endsWith(":")) {
        int port = place.port() == UriAuthority.NO_PORT ? ANY_PORT : place.port();
        return new HostPattern(isWildcard, host, port);
      }
    } catch (IllegalArgumentException e) {
      // said below
    }
    throw new IllegalArgumentException(RULE);
  }

  /** Whether no star and no empty label is left in it, and no address where names are meant. */
  private static boolean isHost(String host, boolean isWildcard) {
    return host.indexOf('*') < 0
        && !host.startsWith(".")
        && !host.endsWith(".")
        && !host.contains("..")
        && !(isWildcard && host.indexOf(':') >= 0);
  }

  /** Whether a destination is one of these. */
  public boolean matches(Destination destination) {
    return (port == ANY_PORT || port == destination.port())
        && (isWildcard ? destination.host().endsWith("." + host) : destination.host().equals(host));
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return (isWildcard ? "*." : "") + name + (port == ANY_PORT ? "" : ":" + port);
  }
}
