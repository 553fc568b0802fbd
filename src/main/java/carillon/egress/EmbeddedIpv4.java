package carillon.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * The addresses that one address stands for. A packet to an IPv6 address may come out at an IPv4
 * one that is written inside it, so both must be allowed.
 */
final class EmbeddedIpv4 {
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

  /** The unspecified address and ::1 are what they are. */
  private static boolean isCompatible(InetAddress address, byte[] bytes) {
    return COMPATIBLE.contains(address) && (bytes[12] | bytes[13]) != 0;
  }

  /** RFC 5214; the first byte has a bit for "globally unique". */
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
