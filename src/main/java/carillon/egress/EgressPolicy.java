package carillon.egress;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Which places jobs may reach. Public addresses are open. Private and other special ones need an
 * entry of {@code egress.allow} with the address, a range or the host's name. Loopback, link-local
 * (the metadata services of clouds), unspecified, multicast and reserved ones, this Carillon and
 * its Redis need an entry that names host and port; loopback is open as a whole where that is said.
 * Decides only, looks nothing up. Thread-safe.
 */
public final class EgressPolicy {
  private static final InetAddress LOOPBACK = Host.parse("127.0.0.1").literal().orElseThrow();

  private final AllowList allow;
  private final boolean loopback;
  private final OwnEndpoints own;

  /**
   * A policy.
   *
   * @param allow entries as {@code egress.allow} has them
   * @param loopback whether loopback addresses are open, but for our own places
   * @param own where we listen ourselves; may be filled later
   * @throws IllegalArgumentException naming the entry that cannot be understood
   */
  public EgressPolicy(List<String> allow, boolean loopback, OwnEndpoints own) {
    this.allow = new AllowList(allow);
    this.loopback = loopback;
    this.own = own;
  }

  /**
   * What speaks against a target before anything is looked up: it is not a host, or an address that
   * is not allowed. A name may still turn out to have such an address.
   */
  public Optional<String> objection(String host, int port) {
    Host parsed;
    try {
      parsed = Host.parse(host);
    } catch (IllegalArgumentException e) {
      return Optional.of("host '" + excerpt(host) + "' " + e.getMessage());
    }
    Optional<InetAddress> known =
        parsed.literal().or(() -> parsed.isLocalhost() ? Optional.of(LOOPBACK) : Optional.empty());
    return known
        .filter(address -> !allows(parsed, address, port))
        .map(address -> EgressException.MESSAGE + ": " + advice(parsed, address, port));
  }

  private static String excerpt(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }

  /** Whether a job may connect to one of the addresses of a host. */
  boolean allows(Host host, InetAddress address, int port) {
    return allow.hasPlace(host, address, port)
        || EmbeddedIpv4.faces(address).stream().allMatch(face -> allowsFace(host, face, port));
  }

  private boolean allowsFace(Host host, InetAddress address, int port) {
    if (own.cover(host, address, port)) {
      return false;
    }
    return switch (AddressClass.of(address)) {
      case OPEN -> true;
      case GUARDED -> allow.hasRange(address) || allow.hasName(host);
      case CLOSED -> loopback && address.isLoopbackAddress();
    };
  }

  /** Which entry would open a place that is refused. */
  String advice(Host host, InetAddress address, int port) {
    boolean guarded =
        EmbeddedIpv4.faces(address).stream()
            .noneMatch(
                face ->
                    AddressClass.of(face) == AddressClass.CLOSED || own.cover(host, face, port));
    String what = host.bracketed() + ":" + port;
    String is =
        host.literal().isPresent() ? what : what + " is " + address.getHostAddress() + " and";
    String entry =
        guarded
            ? "'" + (host.literal().isPresent() ? AddressClass.range(address) : host.text()) + "'"
            : "'" + what + "'";
    return is + " needs the entry " + entry + " in egress.allow";
  }
}
