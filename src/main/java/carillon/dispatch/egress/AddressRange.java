package carillon.dispatch.egress;

import java.net.InetAddress;

/** A block of addresses in CIDR notation. Immutable. */
final class AddressRange {
  private final String text;
  private final byte[] prefix;
  private final int bits;

  /**
   * Creates a block.
   *
   * @param text as it is written, {@code 10.0.0.0/8}
   * @param prefix the first address, 4 or 16 bytes
   * @param bits number of leading bits that an address shares with the prefix
   */
  private AddressRange(String text, byte[] prefix, int bits) {
    this.text = text;
    this.prefix = prefix;
    this.bits = bits;
  }

  /**
   * Reads {@code 10.0.0.0/8} or a single address.
   *
   * @throws IllegalArgumentException saying which rule it breaks
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    InetAddress first =
        Host.parse(slash < 0 ? text : text.substring(0, slash))
            .literal()
            .orElseThrow(() -> new IllegalArgumentException("is not an address"));
    byte[] prefix = first.getAddress();
    int maxBits = prefix.length * Byte.SIZE;
    int bits = slash < 0 ? maxBits : bits(text.substring(slash + 1), maxBits);
    AddressRange range = new AddressRange(text, prefix, bits);
    if (!isZeroBehind(prefix, bits)) {
      throw new IllegalArgumentException("has bits set after its first " + bits);
    }
    return range;
  }

  private static int bits(String text, int maxBits) {
    if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > maxBits) {
      throw new IllegalArgumentException("must end in a prefix length of 0 to " + maxBits);
    }
    return Integer.parseInt(text);
  }

  private static boolean isZeroBehind(byte[] prefix, int bits) {
    for (int bit = bits; bit < prefix.length * Byte.SIZE; bit++) {
      if ((prefix[bit / Byte.SIZE] & (0x80 >> bit % Byte.SIZE)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the range as text, {@code 10.0.0.0/8}. */
  String text() {
    return text;
  }

  /** False for addresses of the other family. */
  boolean contains(InetAddress address) {
    return contains(address.getAddress());
  }

  /** True if the range has the address of these bytes. */
  boolean contains(byte[] bytes) {
    if (bytes.length != prefix.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (bytes[i] != prefix[i]) {
        return false;
      }
    }
    int rest = bits % Byte.SIZE;
    return rest == 0 || ((bytes[whole] ^ prefix[whole]) & (0xFF00 >> rest) & 0xFF) == 0;
  }
}
