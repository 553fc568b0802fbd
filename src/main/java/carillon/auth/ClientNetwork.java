package carillon.auth;

/** Network of a client's address. Limits distinguish clients by it. */
public final class ClientNetwork {
  /** Number of parts of an IPv6 address, out of eight, that identify its network. */
  private static final int PARTS = 4;

  private ClientNetwork() {}

  /**
   * The network of an address: an IPv4 address itself, of an IPv6 address its /64, since a client
   * that has one of its addresses has them all.
   *
   * @param address as {@link java.net.InetAddress#getHostAddress} writes it, without {@code ::}
   */
  public static String of(String address) {
    int end = -1;
    for (int part = 0; part < PARTS; part++) {
      end = address.indexOf(':', end + 1);
      if (end < 0) {
        return address;
      }
    }
    return address.substring(0, end) + "::/64";
  }
}
