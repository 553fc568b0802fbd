package carillon.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Table of rows under titles, two blanks between columns. It is printed in slices, so that a list
 * of any length takes little memory: columns get wider when a slice needs it, and never narrower.
 */
public final class TextTable {
  private static final int SLICE = 100;
  private static final String GAP = "  ";
  private static final int MAX_ACTION_LENGTH = 60;
  private static final int SECONDS_OF_MINUTE = 60;

  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";
  private static final String RED = "\u001b[31m";
  private static final String GREEN = "\u001b[32m";
  private static final String YELLOW = "\u001b[33m";

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  /** Titles of the columns whose words have colors. */
  private static final Set<String> COLORED = Set.of("state", "status", "last outcome", "level");

  private static final Map<String, String> COLORS =
      Map.ofEntries(
          Map.entry("completed", GREEN),
          Map.entry("enabled", GREEN),
          Map.entry("up", GREEN),
          Map.entry("failed", RED),
          Map.entry("faulted", RED),
          Map.entry("down", RED),
          Map.entry("bad", RED),
          Map.entry("disabled", YELLOW),
          Map.entry("skipped", YELLOW),
          Map.entry("slow", YELLOW),
          Map.entry("retrying", YELLOW),
          Map.entry("warn", YELLOW));

  /** Minimum width of a useful last column. */
  private static final int LEAST_LAST = 12;

  /** Width of the last column up to which other columns are cut for it. */
  private static final int GOOD_LAST = 24;

  /**
   * Minimum width of the first column, which has the name; {@link #LEAST} is that of the others.
   */
  private static final int LEAST_FIRST = 20;

  private static final int LEAST = 9;

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
    int[] fit = fit();
    if (!isTitled) {
      String line =
          line(titles.stream().map(title -> title.toUpperCase(Locale.ROOT)).toList(), fit);
      out.println(hasColors ? BOLD + line + PLAIN : line);
      isTitled = true;
    }
    rows.forEach(row -> out.println(colored(line(row, fit), row, fit)));
    rows.clear();
  }

  /** The widths of columns on the terminal: the widest are cut first, that of the name last. */
  private int[] fit() {
    int[] fit = widths.clone();
    int last = fit.length - 1;
    int total = Math.min(widths[last], GOOD_LAST);
    for (int i = 0; i < last; i++) {
      total += fit[i] + GAP.length();
    }
    while (total > maxWidth) {
      int widest = 0;
      for (int i = 1; i < last; i++) {
        if (fit[i] > LEAST && (widest == 0 || fit[i] > fit[widest])) {
          widest = i;
        }
      }
      if (last == 0 || (widest == 0 && fit[0] <= LEAST_FIRST)) {
        break;
      }
      fit[widest]--;
      total--;
    }
    return fit;
  }

  private String line(List<String> cells, int[] fit) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      boolean isLast = i == cells.size() - 1;
      String cell = isLast ? cells.get(i) : shortened(cells.get(i), fit[i]);
      line.append(cell);
      line.append(" ".repeat(Math.max(0, fit[i] - cell.length()))).append(GAP);
    }
    return cut(line.toString().stripTrailing(), fit);
  }

  private static String shortened(String cell, int width) {
    return cell.length() > width ? cell.substring(0, width - 1) + "…" : cell;
  }

  /** Cuts a line to the width of the terminal, but leaves a useful width of the last column. */
  private String cut(String line, int[] fit) {
    int before = 0;
    for (int i = 0; i < fit.length - 1; i++) {
      before += fit[i] + GAP.length();
    }
    int limit = Math.max(maxWidth, before + LEAST_LAST);
    return line.length() > limit && limit > 0 ? line.substring(0, limit - 1) + "…" : line;
  }

  /** A line whose words of state have their colors. */
  private String colored(String line, List<String> cells, int[] fit) {
    if (!hasColors) {
      return line;
    }
    StringBuilder colored = new StringBuilder(line);
    int end = fit.length == 0 ? 0 : line.length();
    for (int i = cells.size() - 1, at = start(i, fit); i >= 0; i--, at = start(i, fit)) {
      String color = COLORED.contains(titles.get(i)) ? COLORS.get(cells.get(i)) : null;
      int behind = at + cells.get(i).length();
      if (color != null && behind <= end && line.startsWith(cells.get(i), at)) {
        colored.insert(behind, PLAIN).insert(at, color);
      }
    }
    return colored.toString();
  }

  private static int start(int column, int[] fit) {
    int start = 0;
    for (int i = 0; i < column; i++) {
      start += fit[i] + GAP.length();
    }
    return start;
  }

  /**
   * Returns the cell without characters that control the terminal or the direction of text, because
   * targets send such text.
   */
  private static String printable(String cell) {
    return cell.isEmpty() ? "-" : CONTROL.matcher(cell).replaceAll(" ");
  }

  /**
   * The cell of an action: {@code POST https://example.org/hook}, or the kind and the name of a
   * queue.
   */
  public static String action(JsonNode action) {
    JsonNode request = action.path("request");
    String text =
        request.isMissingNode()
            ? action.path("type").asText() + " " + place(action)
            : request.path("method").asText() + " " + request.path("uri").asText();
    return text.length() > MAX_ACTION_LENGTH
        ? text.substring(0, MAX_ACTION_LENGTH - 1) + "…"
        : text.strip();
  }

  /**
   * Returns the cell with the outcome of an attempt: the reason for a missing answer, else the body
   * of the answer, else the message. The status has a separate column.
   */
  public static String outcome(JsonNode attempt) {
    String message = attempt.path("message").asText();
    String body = attempt.path("body").asText();
    return attempt.path("error").path("message").asText(body.isBlank() ? message : body);
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

  /** Returns a number with its noun, with an s except for 1. */
  public static String counted(long number, String noun) {
    return counted(number, noun, noun + "s");
  }

  /** Returns a number with its noun. The noun has one form for 1 and one for all other numbers. */
  public static String counted(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  /** A duration in its largest unit. */
  public static String unit(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + "d";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h";
    }
    return duration.toMinutes() > 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
  }

  /** The cell of a duration: its two largest units. */
  public static String duration(Duration duration) {
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
