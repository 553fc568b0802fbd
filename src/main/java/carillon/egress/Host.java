package carillon.egress;

import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host as a client names it, in its one canonical form: a name in lower case and ASCII without
 * the final dot, or an address. What looks like a number in any way is an address in its only
 * standard notation or nothing: {@code 127.1}, {@code 0177.0.0.1}, {@code 2130706433} and {@code
 * 0x7f000001} mean different addresses to different libraries, and are refused.
 *
 * @param text canonical form; an IPv6 address without brackets
 * @param literal the address, unless it is a name
 */
record Host(String text, Optional<InetAddress> literal) {
  private static final int MAX_LENGTH = 253;
  private static final Pattern NAME =
      Pattern.compile(
          "([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\\.)*[a-z_]([a-z0-9_-]{0,61}[a-z0-9_])?");
  private static final Pattern ENDS_IN_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");
  private static final String BYTE = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
  private static final Pattern DOTTED_QUAD = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-f:]*:(" + DOTTED_QUAD + "|[0-9a-f]*)");

  /**
   * Reads a name or address; an IPv6 address may be in brackets.
   *
   * @throws IllegalArgumentException saying which rule it breaks
   */
  static Host parse(String text) {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String bare = bracketed ? text.substring(1, text.length() - 1) : text;
    if (bracketed || bare.indexOf(':') >= 0) {
      return new Host(bare.toLowerCase(Locale.ROOT), Optional.of(ipv6(bare)));
    }
    String name = canonical(bare);
    return ENDS_IN_NUMBER.matcher(name).matches()
        ? new Host(name, Optional.of(ipv4(name)))
        : new Host(checked(name), Optional.empty());
  }

  private static String canonical(String text) {
    String ascii;
    try {
      ascii = IDN.toASCII(text, 0).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is not a host name", e);
    }
    return ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
  }

  private static String checked(String name) {
    if (name.length() > MAX_LENGTH || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("is not a host name");
    }
    return name;
  }

  private static InetAddress ipv4(String text) {
    if (!DOTTED_QUAD.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "is neither a name nor an address of four decimal numbers without leading zeros");
    }
    return address(text);
  }

  /** A zone ("%eth0") is not taken: it would choose among this machine's interfaces. */
  private static InetAddress ipv6(String text) {
    if (text.indexOf(':') < 0 || !IPV6.matcher(text.toLowerCase(Locale.ROOT)).matches()) {
      throw new IllegalArgumentException("is not an IPv6 address (RFC 4291, without a zone)");
    }
    return address(text);
  }

  /** Of text that is no name, so that nothing is looked up. */
  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("is not an address", e);
    }
  }

  /** Names that mean this machine wherever they are looked up (RFC 6761). */
  boolean isLocalhost() {
    return text.equals("localhost") || text.endsWith(".localhost");
  }

  /** In brackets where a port may follow. */
  String bracketed() {
    return text.indexOf(':') < 0 ? text : "[" + text + "]";
  }
}
