package carillon.recurrence.rrule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Content line of iCalendar: {@code DTSTART;TZID=Europe/Berlin:20270301T090000} (RFC 5545, 3.1).
 *
 * @param name in upper case
 * @param parameters by their names in upper case
 */
public record ContentLine(String name, Map<String, String> parameters, String value) {

  /** Properties whose values are times. Their values contain no colon, but names of zones may. */
  private static final Set<String> TIMES =
      Set.of("DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID");

  /**
   * Returns the lines of a text. They end only at CRLF or LF (RFC 5545, 3.1): other line separators
   * are characters of a title. A line that begins with a space or tab continues the previous one.
   */
  public static List<String> unfold(String text) {
    List<String> lines = new ArrayList<>();
    for (String line : text.replaceAll("\r?\n[ \t]", "").split("\r?\n", -1)) {
      if (!line.isBlank()) {
        lines.add(line.strip());
      }
    }
    return lines;
  }

  /** Reads the lines of a recurrence set. A line without a name is a rule. */
  static List<ContentLine> read(String text) {
    return unfold(text).stream()
        .map(line -> parse(line).orElseGet(() -> new ContentLine("RRULE", Map.of(), line)))
        .toList();
  }

  /** Whether the line has this name, in upper case, and this value, in any case. */
  public boolean is(String name, String value) {
    return this.name.equals(name) && this.value.strip().equalsIgnoreCase(value);
  }

  /** Returns this line with another value. */
  public ContentLine with(String value) {
    return new ContentLine(name, parameters, value);
  }

  /**
   * Reads one line; empty if it has no name.
   *
   * @throws IllegalArgumentException if a parameter has no value
   */
  public static Optional<ContentLine> parse(String line) {
    String first = line.split("[;:]", 2)[0].toUpperCase(Locale.ROOT);
    int colon = TIMES.contains(first) ? line.lastIndexOf(':') : unquoted(line, ':', 0);
    if (colon < 0) {
      return Optional.empty();
    }
    List<String> parts = parts(line.substring(0, colon));
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("parameter '" + part + "' must be NAME=value");
      }
      parameters.put(
          part.substring(0, equals).toUpperCase(Locale.ROOT),
          part.substring(equals + 1).replace("\"", ""));
    }
    return Optional.of(
        new ContentLine(
            parts.get(0).toUpperCase(Locale.ROOT), parameters, line.substring(colon + 1)));
  }

  private static List<String> parts(String head) {
    List<String> parts = new ArrayList<>();
    int begin = 0;
    for (int end = unquoted(head, ';', 0); end >= 0; end = unquoted(head, ';', begin)) {
      parts.add(head.substring(begin, end));
      begin = end + 1;
    }
    parts.add(head.substring(begin));
    return parts;
  }

  /** Returns the index of a character outside of quotes; -1 if there is none. */
  private static int unquoted(String text, char sign, int from) {
    boolean isQuoted = false;
    for (int i = from; i < text.length(); i++) {
      char at = text.charAt(i);
      if (at == '"') {
        isQuoted = !isQuoted;
      } else if (at == sign && !isQuoted) {
        return i;
      }
    }
    return -1;
  }
}
