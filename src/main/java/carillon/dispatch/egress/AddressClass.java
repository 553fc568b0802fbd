package carillon.dispatch.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Class of an IP address: decides what opens it to jobs. The ranges are those of the
 * special-purpose registries of IANA (RFC 6890). They include the addresses at which clouds answer
 * questions about a machine, such as its credentials.
 */
enum AddressClass {
  /** Reachable only by an entry that names exactly this host and port. */
  CLOSED(
      "0.0.0.0/8", // this network; Linux takes 0.0.0.0 for itself
      "127.0.0.0/8", // loopback
      "169.254.0.0/16", // link-local, 169.254.169.254 among it
      "224.0.0.0/4", // multicast
      "240.0.0.0/4", // class E and broadcast
      "100.100.100.200/32", // metadata of Alibaba Cloud
      "168.63.129.16/32", // wire server of Azure
      "192.0.0.192/32", // metadata of Oracle Cloud
      "::/128",
      "::1/128",
      "fe80::/10",
      "ff00::/8",
      "fd00:ec2::/32", // metadata, name and time service of AWS
      "fd20:ce::254/128", // metadata of Google Cloud
      "fd00:42::42/128", // metadata of Scaleway
      "fd00:c1::a9fe:a9fe/128"), // metadata of Oracle Cloud

  /** Reachable by an entry that names the address, a range with it, or the host's name. */
  GUARDED(
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "100.64.0.0/10", // carrier-grade NAT
      "192.0.0.0/24", // protocol assignments
      "192.0.2.0/24", // documentation
      "198.51.100.0/24",
      "203.0.113.0/24",
      "192.88.99.0/24", // 6to4 relays
      "198.18.0.0/15", // benchmarks
      "fc00::/7", // unique local
      "fec0::/10", // site-local, formerly
      "2001::/23", // protocol assignments, Teredo among them
      "2001:db8::/32", // documentation
      "3fff::/20",
      "2002::/16", // 6to4
      "64:ff9b:1::/48", // NAT64 of a network's own
      "100::/64", // discard
      "5f00::/16", // segment routing
      "::/96"), // IPv4-compatible, formerly

  /** Reachable by every job. */
  OPEN;

  private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of immutable values
  private final List<AddressRange> ranges;

  AddressClass(String... ranges) {
    this.ranges = Arrays.stream(ranges).map(AddressRange::parse).toList();
  }

  /** Returns the class by the bits of the address alone. Embedded addresses are not examined. */
  static AddressClass of(InetAddress address) {
    if (CLOSED.covers(address)) {
      return CLOSED;
    }
    boolean unassigned = address.getAddress().length == 16 && !GLOBAL_UNICAST.contains(address);
    return unassigned || GUARDED.covers(address) ? GUARDED : OPEN;
  }

  private boolean covers(InetAddress address) {
    byte[] bytes = address.getAddress();
    for (AddressRange range : ranges) {
      if (range.contains(bytes)) {
        return true;
      }
    }
    return false;
  }

  /** The special range that an address is in, for advice. */
  static String range(InetAddress address) {
    return Arrays.stream(values())
        .flatMap(reach -> reach.ranges.stream())
        .filter(range -> range.contains(address))
        .map(AddressRange::text)
        .findFirst()
        .orElse(address.getHostAddress());
  }
}
