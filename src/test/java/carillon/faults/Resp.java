package carillon.faults;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds the end of each value of Redis' protocol (RESP 2 and 3) in a stream of bytes. */
public final class Resp {
  private Resp() {}

  /**
   * Returns the end of the value that begins at {@code start}, or -1 when it is not complete yet.
   *
   * @throws IllegalArgumentException when no value begins there
   */
  public static int end(Buffer bytes, int start) {
    int line = lineEnd(bytes, start);
    if (line < 0) {
      return -1;
    }
    return switch (bytes.getByte(start)) {
      case '+', '-', ':', ',', '#', '(', '_' -> line;
      case '$', '=', '!' -> bulk(bytes, line, number(bytes, start, line));
      case '*', '~', '>' -> several(bytes, line, number(bytes, start, line));
      case '%' -> several(bytes, line, 2 * number(bytes, start, line));
      case '|' -> several(bytes, line, 2 * number(bytes, start, line) + 1);
      default -> throw new IllegalArgumentException("no RESP: " + bytes.getByte(start));
    };
  }

  /** Returns word {@code n} of a command, from 0; empty when there is none. */
  public static String word(Buffer bytes, int start, int n) {
    int at = lineEnd(bytes, start);
    if (bytes.getByte(start) != '*' || n >= number(bytes, start, at)) {
      return "";
    }
    for (int i = 0; i < n; i++) {
      at = end(bytes, at);
    }
    int text = lineEnd(bytes, at);
    return bytes.getString(text, text + number(bytes, at, text), StandardCharsets.UTF_8.name());
  }

  /**
   * Returns the texts and numbers of a value in order, each as text. An array within it is a nested
   * list.
   */
  public static List<Object> values(Buffer bytes, int start) {
    int at = lineEnd(bytes, start);
    List<Object> values = new ArrayList<>();
    switch (bytes.getByte(start)) {
      case '*', '~', '>' -> {
        for (int i = number(bytes, start, at); i > 0; i--) {
          List<Object> value = values(bytes, at);
          values.add(isAggregate(bytes, at) ? value : value.get(0));
          at = end(bytes, at);
        }
      }
      case '$', '=' -> {
        int length = Math.max(0, number(bytes, start, at));
        values.add(bytes.getString(at, at + length, StandardCharsets.UTF_8.name()));
      }
      default -> values.add(bytes.getString(start + 1, at - 2));
    }
    return values;
  }

  private static boolean isAggregate(Buffer bytes, int start) {
    return "*~>".indexOf(bytes.getByte(start)) >= 0;
  }

  /**
   * Returns an answer to TIME, in seconds and microseconds, moved ahead by {@code by}. Returns an
   * error unchanged.
   */
  static Buffer later(Buffer time, Duration by) {
    if (time.getByte(0) != '*') {
      return time;
    }
    String seconds = word(time, 0, 0);
    String later = Long.toString(Long.parseLong(seconds) + by.toSeconds());
    long micros = Long.parseLong(word(time, 0, 1)) + by.toMillisPart() * 1000L;
    if (micros >= 1_000_000) {
      later = Long.toString(Long.parseLong(later) + 1);
      micros -= 1_000_000;
    }
    return Buffer.buffer(
        "*2\r\n$"
            + later.length()
            + "\r\n"
            + later
            + "\r\n$"
            + Long.toString(micros).length()
            + "\r\n"
            + micros
            + "\r\n");
  }

  private static int lineEnd(Buffer bytes, int start) {
    for (int i = start; i + 1 < bytes.length(); i++) {
      if (bytes.getByte(i) == '\r' && bytes.getByte(i + 1) == '\n') {
        return i + 2;
      }
    }
    return -1;
  }

  private static int number(Buffer bytes, int start, int lineEnd) {
    return Integer.parseInt(bytes.getString(start + 1, lineEnd - 2));
  }

  private static int bulk(Buffer bytes, int line, int length) {
    int end = length < 0 ? line : line + length + 2;
    return end <= bytes.length() ? end : -1;
  }

  private static int several(Buffer bytes, int line, int count) {
    int at = line;
    for (int i = 0; i < count && at >= 0; i++) {
      at = at < bytes.length() ? end(bytes, at) : -1;
    }
    return at;
  }
}
