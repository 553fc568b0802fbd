package carillon.dispatch.egress;

import carillon.uri.UriAuthority;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A host as a client names it, in its one canonical form: a name in lower case and ASCII without
 * the final dot, or an address. Every name that a URI may have is accepted. A text that looks like
 * a number in any way must be an address in standard notation. {@code 127.1}, {@code 0177.0.0.1},
 * {@code 2130706433} and {@code 0x7f000001} mean different addresses to different libraries, and
 * are refused.
 *
 * @param text canonical form; an IPv6 address without brackets
 * @param literal the address, unless it is a name
 */
record Host(String text, Optional<InetAddress> literal) {
  private static final int MAX_LENGTH = 253;
  private static final int MAX_LABEL_LENGTH = 63;
  private static final String BYTE = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
  private static final Pattern IPV6 =
      Pattern.compile("[0-9a-f:]*:(" + BYTE + "(?:\\." + BYTE + "){3}|[0-9a-f]*)");

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
    return endsInNumber(name)
        ? new Host(name, Optional.of(ipv4(name)))
        : new Host(checked(name), Optional.empty());
  }

  private static String canonical(String text) {
    if (isCanonical(text)) {
      return text;
    }
    if (text.indexOf('%') >= 0) {
      throw new IllegalArgumentException("is not a host name"); // only a URI has escapes
    }
    String ascii;
    try {
      ascii = UriAuthority.name(text).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is not a host name", e);
    }
    return ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
  }

  private static String checked(String name) {
    if (name.length() > MAX_LENGTH || !isName(name)) {
      throw new IllegalArgumentException(
          "is not a host name: labels have 1 to 63 characters, and all of them up to 253");
    }
    return name;
  }

  /** Whether it is one label or several that IDN would leave as they are; most hosts are. */
  private static boolean isCanonical(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isInner = i > 0 && i < text.length() - 1 && text.charAt(i - 1) != '.';
      if (!isWordSign(c) && c != '-' && (c != '.' || !isInner)) {
        return false;
      }
    }
    return text.length() <= MAX_LABEL_LENGTH;
  }

  /** Whether the last label is a number, decimal or hexadecimal, as some libraries take it. */
  private static boolean endsInNumber(String name) {
    String label = name.substring(name.lastIndexOf('.') + 1);
    int digits = label.startsWith("0x") ? 2 : 0;
    boolean isHex = digits > 0;
    for (int i = digits; i < label.length(); i++) {
      char c = label.charAt(i);
      if (!isDigit(c) && (!isHex || c < 'a' || c > 'f')) {
        return false;
      }
    }
    return !label.isEmpty();
  }

  /** Whether all labels have a length that DNS allows. */
  private static boolean isName(String text) {
    int label = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', label)) {
      if (!isLabel(label, dot)) {
        return false;
      }
      label = dot + 1;
    }
    return isLabel(label, text.length());
  }

  private static boolean isLabel(int from, int to) {
    return to > from && to - from <= MAX_LABEL_LENGTH;
  }

  private static boolean isWordSign(char c) {
    return (c >= 'a' && c <= 'z') || isDigit(c) || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static InetAddress ipv4(String text) {
    if (!isDottedQuad(text)) {
      throw new IllegalArgumentException(
          "is neither a name nor an address of four decimal numbers without leading zeros");
    }
    return address(text);
  }

  /** Whether it is four numbers of a byte, without leading zeros. */
  private static boolean isDottedQuad(String text) {
    int numbers = 0;
    int at = 0;
    for (int end; at <= text.length(); at = end + 1) {
      int dot = text.indexOf('.', at);
      end = dot < 0 ? text.length() : dot;
      if (!isByte(text, at, end)) {
        return false;
      }
      numbers++;
    }
    return numbers == 4;
  }

  private static boolean isByte(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to && i < from + 4; i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
      value = value * 10 + text.charAt(i) - '0';
    }
    return to > from
        && to - from <= 3
        && value <= 255
        && (to == from + 1 || text.charAt(from) != '0');
  }

  /** A zone ("%eth0") is not taken: it would choose among this machine's interfaces. */
  private static InetAddress ipv6(String text) {
    if (text.indexOf(':') < 0 || !IPV6.matcher(text.toLowerCase(Locale.ROOT)).matches()) {
      throw new IllegalArgumentException("is not an IPv6 address (RFC 4291, without a zone)");
    }
    return address(text);
  }

  /** Parses a literal address. Never looks up a name. */
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

  /** Returns the host as it is written before a port: IPv6 addresses in brackets. */
  String bracketed() {
    return text.indexOf(':') < 0 ? text : "[" + text + "]";
  }
}
