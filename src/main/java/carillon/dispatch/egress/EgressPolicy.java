package carillon.dispatch.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Policy for the hosts and addresses that jobs may reach, against server-side request forgery
 * (SSRF). Public addresses are open. Private and other special ones need an entry of {@code
 * egress.allow} with the address, a range or the host's name. Loopback, link-local (the metadata
 * services of clouds), unspecified, multicast and reserved addresses need an entry with host and
 * port, and so do this Carillon and its Redis. Loopback can be opened as a whole. Decides only,
 * looks nothing up. Thread-safe.
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
   * @param loopback whether loopback addresses are open, but for our own endpoints
   * @param own where we listen ourselves; may be filled later
   * @throws IllegalArgumentException naming the entry that cannot be understood
   */
  public EgressPolicy(List<String> allow, boolean loopback, OwnEndpoints own) {
    this.allow = new AllowList(allow);
    this.loopback = loopback;
    this.own = own;
  }

  /**
   * Returns the objection to a target before any look-up: it is not a host, or its literal address
   * is not allowed. A name may still resolve to a forbidden address.
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
    if (allow.hasPlace(host, address, port)) {
      return true;
    }
    for (InetAddress face : EmbeddedIpv4.faces(address)) {
      if (!allowsFace(host, face, port)) {
        return false;
      }
    }
    return true;
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

  /** Returns the entry that would open a refused target. */
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

  /**
   * Reader of the IPv4 addresses inside IPv6 ones. A packet to an IPv6 address may be forwarded to
   * an IPv4 address inside it, so both must be allowed.
   */
  private static final class EmbeddedIpv4 {
    private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");
    private static final AddressRange NAT64_LOCAL = AddressRange.parse("64:ff9b:1::/48");
    private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");
    private static final AddressRange TEREDO = AddressRange.parse("2001::/32");
    private static final AddressRange COMPATIBLE = AddressRange.parse("::/96");
    private static final byte[] ISATAP = {0, 0, 0x5e, (byte) 0xfe};

    private EmbeddedIpv4() {}

    /**
     * All that must be allowed. An address behind NAT64 is nothing but the IPv4 address in it: that
     * is how a network without IPv4 reaches it. Java itself turns {@code ::ffff:a.b.c.d} into IPv4.
     */
    static List<InetAddress> faces(InetAddress address) {
      byte[] bytes = address.getAddress();
      if (bytes.length == 4) {
        return List.of(address);
      }
      if (NAT64.contains(address)) {
        return List.of(ipv4(bytes, 12, 0));
      }
      if (NAT64_LOCAL.contains(address) || isCompatible(address, bytes) || isIsatap(bytes)) {
        return List.of(address, ipv4(bytes, 12, 0));
      }
      if (SIX_TO_FOUR.contains(address)) {
        return List.of(address, ipv4(bytes, 2, 0));
      }
      if (TEREDO.contains(address)) {
        return List.of(address, ipv4(bytes, 4, 0), ipv4(bytes, 12, 0xFF));
      }
      return List.of(address);
    }

    /** Whether the address is IPv4-compatible. The unspecified address and ::1 are not. */
    private static boolean isCompatible(InetAddress address, byte[] bytes) {
      return COMPATIBLE.contains(address) && (bytes[12] | bytes[13]) != 0;
    }

    /** Whether an address is ISATAP (RFC 5214); the first byte has a bit for "globally unique". */
    private static boolean isIsatap(byte[] bytes) {
      byte[] marker = Arrays.copyOfRange(bytes, 8, 12);
      marker[0] &= (byte) 0xFD;
      return Arrays.equals(marker, ISATAP);
    }

    private static InetAddress ipv4(byte[] bytes, int from, int inverted) {
      byte[] four = Arrays.copyOfRange(bytes, from, from + 4);
      for (int i = 0; i < four.length; i++) {
        four[i] ^= (byte) inverted;
      }
      try {
        return InetAddress.getByAddress(four);
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
