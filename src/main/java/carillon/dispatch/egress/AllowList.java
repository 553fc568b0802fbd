package carillon.dispatch.egress;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The entries of {@code egress.allow}: the hosts with port, names and ranges that it opens.
 * Immutable.
 */
final class AllowList {
  private final Set<String> exact = new HashSet<>();
  private final Set<String> names = new HashSet<>();
  private final List<String> suffixes = new ArrayList<>();
  private final List<AddressRange> ranges = new ArrayList<>();

  /**
   * Reads the entries.
   *
   * @throws IllegalArgumentException naming the first that cannot be understood
   */
  AllowList(List<String> entries) {
    for (String entry : entries) {
      try {
        add(entry);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "egress.allow: '"
                + entry
                + "' "
                + e.getMessage()
                + "; an entry is an address, a range such as 10.0.0.0/8, a name, *.name, or"
                + " host:port",
            e);
      }
    }
  }

  private void add(String entry) {
    if (entry.lastIndexOf('*') > (entry.startsWith("*.") ? 0 : -1)) {
      throw new IllegalArgumentException("may have a '*' in front of a name only, as *.name");
    }
    int colon = entry.lastIndexOf(':');
    boolean severalColons = entry.indexOf(':') != colon;
    if (entry.indexOf('/') >= 0) {
      ranges.add(AddressRange.parse(entry));
    } else if (entry.startsWith("[") ? entry.indexOf("]:") > 0 : colon >= 0 && !severalColons) {
      exact.add(
          hostAndPort(Host.parse(entry.substring(0, colon)), port(entry.substring(colon + 1))));
    } else if (entry.startsWith("*.")) {
      suffixes.add("." + name(entry.substring(2)));
    } else {
      Host host = Host.parse(entry);
      if (host.literal().isPresent()) {
        ranges.add(AddressRange.parse(entry));
      } else {
        names.add(host.text());
      }
    }
  }

  private static String name(String text) {
    Host host = Host.parse(text);
    if (host.literal().isPresent()) {
      throw new IllegalArgumentException("must have a name after '*.'");
    }
    return host.text();
  }

  private static int port(String text) {
    if (!text.matches("[1-9]\\d{0,4}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException("must end in a port of 1 to 65535");
    }
    return Integer.parseInt(text);
  }

  private static String hostAndPort(Host host, int port) {
    return host.literal().map(InetAddress::getHostAddress).orElse(host.text()) + " " + port;
  }

  /**
   * Whether an entry names exactly this host and port: the host as the job has it, or the address
   * it comes down to.
   */
  boolean hasPlace(Host host, InetAddress address, int port) {
    return !exact.isEmpty()
        && (exact.contains(hostAndPort(host, port))
            || exact.contains(address.getHostAddress() + " " + port));
  }

  boolean hasName(Host host) {
    return names.contains(host.text()) || suffixes.stream().anyMatch(host.text()::endsWith);
  }

  boolean hasRange(InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }
}
