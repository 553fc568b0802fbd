package carillon.flow;

import carillon.job.Destination;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pattern of destinations: a host, or with {@code *.} in front all hosts below one; of any port, or
 * of the one behind a colon.
 *
 * @param isWildcard whether it is about the hosts below {@code host}, and not about that itself
 * @param host in lower case, an IPv6 address without brackets
 * @param port {@link #ANY_PORT} for any
 */
public record HostPattern(boolean isWildcard, String host, int port) {
  /** In place of a port. */
  public static final int ANY_PORT = 0;

  private static final String RULE =
      "must be a host such as api.example.com, or *.example.com for all below it, with or without :port";

  private static final int MAX_PORT = 65_535;
  private static final int MAX_LENGTH = 253;
  private static final String LABEL = "[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?";
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\*\\.)?(" + LABEL + "(?:\\." + LABEL + ")*)|\\[([0-9a-f:.]+)])(?::(\\d{1,5}))?");

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException when it is none; the message is the rule, to complete a
   *     sentence
   */
  public static HostPattern parse(String text) {
    if (text.length() > MAX_LENGTH) { // first: the stack that a matcher takes grows with its text
      throw new IllegalArgumentException("must have at most " + MAX_LENGTH + " characters");
    }
    Matcher parts = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new IllegalArgumentException(RULE);
    }
    int port = parts.group(4) == null ? ANY_PORT : Integer.parseInt(parts.group(4));
    if (port > MAX_PORT || (port == ANY_PORT && parts.group(4) != null)) {
      throw new IllegalArgumentException(RULE);
    }
    String host = parts.group(2) == null ? parts.group(3) : parts.group(2);
    return new HostPattern(parts.group(1) != null, host, port);
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
