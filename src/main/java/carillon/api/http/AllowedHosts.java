package carillon.api.http;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The host names under which the API may be asked. Where nobody has to say who he is, a page of
 * another site must not reach it under a name of its own that leads here (DNS rebinding): to the
 * browser that would be the page's own site, so that it could read and change everything. The name
 * it asked for stands in Host, or in :authority, and no page can set either.
 */
public final class AllowedHosts {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");

  /** Where it does not matter: who asks has to prove who he is. */
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
   * Those of this machine to itself, and more.
   *
   * @param more host names without a port
   */
  public static AllowedHosts loopbackAnd(Collection<String> more) {
    return new AllowedHosts(
        Optional.of(more.stream().map(AllowedHosts::folded).collect(Collectors.toSet())));
  }

  /**
   * Whether it may be asked under this name.
   *
   * @param host without the port; in brackets if it is an IPv6 address
   */
  public boolean contains(String host) {
    return names.isEmpty() || isLoopback(host) || names.get().contains(folded(host));
  }

  /** Whether it is a name or an address of this machine that says so itself. */
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
