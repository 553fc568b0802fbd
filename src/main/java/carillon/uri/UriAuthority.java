package carillon.uri;

import java.net.IDN;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Host and port of a URI (RFC 3986, section 3.2). Unlike {@link URI#getHost} it takes every
 * registered name, such as {@code my_app} of Docker Compose. Percent-encoding is decoded, and an
 * internationalised name is converted to ASCII (IDNA).
 *
 * @param host name in ASCII, or address; an IPv6 address without brackets
 * @param port {@link #NO_PORT} if there is none
 */
public record UriAuthority(String host, int port) {
  /** Value of {@code port} for an authority without a port. */
  public static final int NO_PORT = -1;

  private static final int MAX_PORT = 65_535;
  private static final int MAX_ASCII = 127;

  /**
   * Characters of a name other than letters and digits: RFC 3986 calls them unreserved and
   * sub-delims.
   */
  private static final String SIGNS = "-._~!$&'()*+,;=";

  /** Characters that two versions of IDNA convert to different names. */
  private static final String AMBIGUOUS = "\u00df\u1e9e\u03c2\u200c\u200d";

  /**
   * Reads the authority of a URI. Ignores user information without checking it.
   *
   * @throws IllegalArgumentException with the rule that it breaks, to complete a sentence
   */
  public static UriAuthority of(URI uri) {
    String authority = uri.getRawAuthority();
    if (authority == null) {
      throw new IllegalArgumentException("must name a host");
    }
    return parse(authority.substring(authority.lastIndexOf('@') + 1));
  }

  /** Reads the authority of a URI; empty if it is missing or invalid. */
  public static Optional<UriAuthority> find(URI uri) {
    try {
      return Optional.of(of(uri));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads {@code host} or {@code host:port}, an IPv6 address in brackets.
   *
   * @throws IllegalArgumentException with the rule that it breaks, to complete a sentence
   */
  public static UriAuthority parse(String text) {
    int bracket = text.startsWith("[") ? text.indexOf(']') + 1 : 0;
    int colon = text.indexOf(':', bracket);
    int end = colon < 0 ? text.length() : colon;
    if (end == 0) {
      throw new IllegalArgumentException("must name a host");
    }
    String host = bracket > 0 ? address(text, bracket, end) : name(text.substring(0, end));
    return new UriAuthority(host, colon < 0 ? NO_PORT : port(text.substring(colon + 1)));
  }

  private static String address(String text, int bracket, int end) {
    String host = text.substring(1, bracket - 1);
    if (bracket != end || !host.matches("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*")) {
      throw new IllegalArgumentException(
          "must have an IPv6 address, and nothing else, in brackets");
    }
    return host;
  }

  private static int port(String text) {
    if (text.isEmpty()) {
      return NO_PORT;
    }
    int port = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + text + " is not in 1..65535");
    }
    return port;
  }

  /**
   * Returns a registered name in ASCII: escapes are decoded, and other letters than ASCII are
   * converted by IDNA. An ASCII name keeps its case.
   *
   * @throws IllegalArgumentException with the rule that it breaks, to complete a sentence
   */
  public static String name(String text) {
    String decoded = text.indexOf('%') < 0 ? text : decoded(text);
    String name = isAscii(decoded) ? decoded : ascii(decoded);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!isLetterOrDigit(c) && SIGNS.indexOf(c) < 0) {
        throw new IllegalArgumentException("must name a host; " + shown(c) + " cannot be in one");
      }
    }
    return name;
  }

  private static String decoded(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * text.length());
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
        if (low < 0) {
          throw new IllegalArgumentException("must name a host; '%' must begin an escape");
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else {
        bytes.put(text.substring(i, i + 1).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("must name a host; its escapes must be UTF-8", e);
    }
  }

  private static String ascii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (AMBIGUOUS.indexOf(name.charAt(i)) >= 0) {
        throw new IllegalArgumentException(
            "must have its host in the form xn--...; versions of IDNA differ about "
                + shown(name.charAt(i)));
      }
    }
    try {
      return IDN.toASCII(name).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "must have its host in the form xn--...; IDNA cannot convert it", e);
    }
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c <= MAX_ASCII);
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static String shown(char c) {
    return (c > ' ' && c < MAX_ASCII) || Character.isLetter(c)
        ? "'" + c + "'"
        : "U+%04X".formatted((int) c);
  }
}
