package carillon.api.edge;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Host names under which the API is served. Without authentication, a foreign page must not reach
 * the API under its own name that resolves to this node (DNS rebinding). The browser would take the
 * API for the page's own site, so that the page could read and change everything. The name is in
 * Host, or in :authority, and no page can set either.
 */
public final class AllowedHosts {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");

  /** All names, for a node that requires credentials. */
  static final AllowedHosts ANY = new AllowedHosts(Optional.empty());

  private final Optional<Set<String>> names;

  private AllowedHosts(Optional<Set<String>> names) {
    this.names = names;
  }

  /** All names. */
  public static AllowedHosts any() {
    return ANY;
  }

  /**
   * The names of this machine to itself, and more.
   *
   * @param more host names without a port
   */
  public static AllowedHosts loopbackAnd(Collection<String> more) {
    return new AllowedHosts(
        Optional.of(more.stream().map(AllowedHosts::folded).collect(Collectors.toSet())));
  }

  /**
   * Whether the API is served under this name.
   *
   * @param host without the port; in brackets if it is an IPv6 address
   */
  public boolean contains(String host) {
    return names.isEmpty() || isLoopback(host) || names.get().contains(folded(host));
  }

  /** Whether it is localhost or a loopback address. */
  public static boolean isLoopback(String host) {
    return host.equals("127.0.0.1")
        || host.equalsIgnoreCase("localhost")
        || host.equals("[::1]")
        || host.equals("::1")
        || LOOPBACK.matcher(host).matches();
  }

  private static String folded(String host) {
    return host.toLowerCase(Locale.ROOT);
  }
}
