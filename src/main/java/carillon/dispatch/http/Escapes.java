package carillon.dispatch.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Escapes of characters that a format cannot hold directly. */
enum Escapes {
  /** {@code %2F} (RFC 3986, section 2.1). */
  PERCENT("%") {
    @Override
    int decode(String text, int at, StringBuilder to) {
      return percent(text, at, to);
    }
  },
  /** {@code %2F}, and {@code +} for a blank, as HTML forms are sent. */
  FORM("+") {
    @Override
    int decode(String text, int at, StringBuilder to) {
      if (text.charAt(at) != '+') {
        return percent(text, at, to);
      }
      to.append(' ');
      return 1;
    }
  },
  /**
   * A name, or a number, decimal or hexadecimal, between {@code &} and {@code ;}, as HTML writes a
   * character.
   */
  HTML("&") {
    @Override
    int decode(String text, int at, StringBuilder to) {
      int end = text.charAt(at) == '&' ? text.indexOf(';', at) : -1;
      if (end < 0 || end - at > MAX_ENTITY_LENGTH) {
        return 0;
      }
      int point = entity(text.substring(at + 1, end));
      return append(point, to) ? end + 1 - at : 0;
    }
  },
  /** Backslashes, as in JSON, Java and JavaScript. */
  JSON("\\") {
    @Override
    int decode(String text, int at, StringBuilder to) {
      if (text.charAt(at) != '\\' || at + 1 == text.length()) {
        return 0;
      }
      if (text.charAt(at + 1) == 'u') {
        return unicode(text, at, to);
      }
      int sign = "\"\\/'bfnrt".indexOf(text.charAt(at + 1));
      if (sign < 0) {
        return 0;
      }
      to.append("\"\\/'\b\f\n\r\t".charAt(sign));
      return 2;
    }
  };

  private static final int MAX_ENTITY_LENGTH = 12;

  /** Named entities that encoders write, with the code of each character. */
  private static final Map<String, Integer> ENTITIES =
      Map.ofEntries(
          Map.entry("amp", (int) '&'),
          Map.entry("apos", (int) '\''),
          Map.entry("colon", (int) ':'),
          Map.entry("equals", (int) '='),
          Map.entry("gt", (int) '>'),
          Map.entry("lt", (int) '<'),
          Map.entry("num", (int) '#'),
          Map.entry("percnt", (int) '%'),
          Map.entry("plus", (int) '+'),
          Map.entry("quot", (int) '"'),
          Map.entry("semi", (int) ';'),
          Map.entry("sol", (int) '/'));

  private final String mark;

  Escapes(String mark) {
    this.mark = mark;
  }

  boolean mayBeIn(String bytes) {
    return bytes.contains(mark);
  }

  /**
   * Decodes the escape that begins at a place, if there is one.
   *
   * @param to gets its bytes
   * @return how long it is; 0 if there is none
   */
  abstract int decode(String text, int at, StringBuilder to);

  Redactor.ByteView decoded(Redactor.ByteView view) {
    String text = view.bytes();
    StringBuilder bytes = new StringBuilder(text.length());
    int[] starts = new int[text.length() + 1];
    int at = 0;
    while (at < text.length()) {
      int from = bytes.length();
      int length = decode(text, at, bytes);
      if (length == 0) {
        bytes.append(text.charAt(at));
      }
      Arrays.fill(starts, from, bytes.length(), view.start(at));
      at += Math.max(length, 1);
    }
    starts[bytes.length()] = view.start(at);
    return new Redactor.ByteView(bytes.toString(), starts);
  }

  private static int percent(String text, int at, StringBuilder to) {
    int octet = text.charAt(at) == '%' ? number(text, at + 1, at + 3, 16) : -1;
    if (octet < 0) {
      return 0;
    }
    to.append((char) octet);
    return 3;
  }

  private static int unicode(String text, int at, StringBuilder to) {
    int unit = number(text, at + 2, at + 6, 16);
    if (unit < 0 || !Character.isSurrogate((char) unit)) {
      return append(unit, to) ? 6 : 0;
    }
    int low = text.startsWith("\\u", at + 6) ? number(text, at + 8, at + 12, 16) : -1;
    return low >= 0
            && Character.isSurrogatePair((char) unit, (char) low)
            && append(Character.toCodePoint((char) unit, (char) low), to)
        ? 12
        : 0;
  }

  private static int entity(String name) {
    if (!name.startsWith("#")) {
      return ENTITIES.getOrDefault(name, -1);
    }
    boolean isHex = name.startsWith("x", 1) || name.startsWith("X", 1);
    return number(name, isHex ? 2 : 1, name.length(), isHex ? 16 : 10);
  }

  /**
   * Returns the number in the digits of the text. Negative without digits, or if there are more
   * than a character may have.
   */
  private static int number(String text, int from, int to, int radix) {
    if (from >= to || to > text.length()) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), radix);
      if (digit < 0 || number > Character.MAX_CODE_POINT) {
        return -1;
      }
      number = number * radix + digit;
    }
    return number;
  }

  private static boolean append(int point, StringBuilder to) {
    if (!Character.isValidCodePoint(point)) {
      return false;
    }
    byte[] bytes = Character.toString(point).getBytes(StandardCharsets.UTF_8);
    to.append(new String(bytes, StandardCharsets.ISO_8859_1));
    return true;
  }
}
