package carillon.recurrence.rrule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Content line of iCalendar: {@code DTSTART;TZID=Europe/Berlin:20270301T090000} (RFC 5545, 3.1).
 *
 * @param name in upper case
 * @param parameters by their names in upper case
 */
public record ContentLine(String name, Map<String, String> parameters, String value) {

  /** The lines of a text; a line that begins with a space or tab goes on the one before. */
  public static List<ContentLine> read(String text) {
    List<ContentLine> lines = new ArrayList<>();
    for (String line : text.replaceAll("\\R[ \\t]", "").split("\\R", -1)) {
      if (!line.isBlank()) {
        lines.add(line(line.strip()));
      }
    }
    return lines;
  }

  /** Whether the line has this name, in upper case, and this value, in any. */
  public boolean is(String name, String value) {
    return this.name.equals(name) && this.value.strip().equalsIgnoreCase(value);
  }

  /** A line without a name is a rule. */
  private static ContentLine line(String line) {
    int colon = unquoted(line, ':', 0);
    if (colon < 0) {
      return new ContentLine("RRULE", Map.of(), line);
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
    return new ContentLine(
        parts.get(0).toUpperCase(Locale.ROOT), parameters, line.substring(colon + 1));
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

  /** Where a sign stands that is not within quotes; -1 for nowhere. */
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
