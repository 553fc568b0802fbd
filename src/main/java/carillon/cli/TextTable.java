package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Table of rows under titles, two blanks between columns. It is printed in slices, so that a list
 * of any length takes little memory: columns get wider when a slice needs it, and never narrower.
 */
final class TextTable {
  private static final int SLICE = 100;
  private static final String GAP = "  ";
  private static final int MAX_ACTION_LENGTH = 60;
  private static final int SECONDS_OF_MINUTE = 60;

  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  /** Less of a last column says nothing. */
  private static final int LEAST_LAST = 12;

  private final List<String> titles;
  private final int maxWidth;
  private final boolean hasColors;
  private final int[] widths;
  private final List<List<String>> rows = new ArrayList<>();
  private boolean isTitled;

  /**
   * An empty table.
   *
   * @param maxWidth where lines are cut
   * @param hasColors whether titles are bold
   */
  TextTable(List<String> titles, int maxWidth, boolean hasColors) {
    this.titles = List.copyOf(titles);
    this.maxWidth = maxWidth;
    this.hasColors = hasColors;
    this.widths = new int[titles.size()];
    widen(this.titles);
  }

  void add(List<String> cells) {
    List<String> row = cells.stream().map(TextTable::printable).toList();
    widen(row);
    rows.add(row);
  }

  private void widen(List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells.get(i).length());
    }
  }

  boolean isFull() {
    return rows.size() >= SLICE;
  }

  /** Prints the rows added since the last call; the titles once. */
  void print(PrintWriter out) {
    if (!isTitled) {
      String line = line(titles.stream().map(title -> title.toUpperCase(Locale.ROOT)).toList());
      out.println(hasColors ? BOLD + line + PLAIN : line);
      isTitled = true;
    }
    rows.forEach(row -> out.println(line(row)));
    rows.clear();
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      line.append(cell);
      line.append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    return cut(line.toString().stripTrailing());
  }

  /** To the width of the terminal, if so much of the last column is left that it says something. */
  private String cut(String line) {
    int before = 0;
    for (int i = 0; i < widths.length - 1; i++) {
      before += widths[i] + GAP.length();
    }
    int limit = Math.max(maxWidth, before + LEAST_LAST);
    return line.length() > limit && limit > 0 ? line.substring(0, limit - 1) + "…" : line;
  }

  /** Without control characters: text of a target must not control the terminal. */
  private static String printable(String cell) {
    return cell.isEmpty() ? "-" : cell.replaceAll("\\p{Cntrl}", " ");
  }

  /**
   * The cell of an action: {@code POST https://example.org/hook}, or the kind and the name of a
   * queue.
   */
  static String action(JsonNode action) {
    JsonNode request = action.path("request");
    String text =
        request.isMissingNode()
            ? action.path("type").asText() + " " + place(action)
            : request.path("method").asText() + " " + request.path("uri").asText();
    return text.length() > MAX_ACTION_LENGTH
        ? text.substring(0, MAX_ACTION_LENGTH - 1) + "…"
        : text.strip();
  }

  /** The first name in the payload of a queue action. */
  private static String place(JsonNode action) {
    for (String name : new String[] {"queueName", "topicPath", "stream", "list"}) {
      JsonNode found = action.findValue(name);
      if (found != null) {
        return found.asText();
      }
    }
    return "";
  }

  /** A duration in its largest unit. */
  static String unit(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + "d";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h";
    }
    return duration.toMinutes() > 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
  }

  /** The cell of a duration: its two largest units. */
  static String duration(Duration duration) {
    if (duration.toMillis() < 0) {
      return "-" + duration(duration.negated());
    }
    if (duration.toDays() > 0) {
      return duration.toDays() + "d " + duration.toHoursPart() + "h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h " + duration.toMinutesPart() + "m";
    }
    if (duration.toSeconds() >= SECONDS_OF_MINUTE) {
      return duration.toMinutes() + "m " + duration.toSecondsPart() + "s";
    }
    return duration.toSeconds() > 0
        ? String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0)
        : duration.toMillis() + "ms";
  }
}
