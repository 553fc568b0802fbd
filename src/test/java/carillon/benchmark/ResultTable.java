package carillon.benchmark;

import java.util.ArrayList;
import java.util.List;

/** Rows in columns; the first column is text, the others are set to the right. */
final class ResultTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  ResultTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** The result of a run. */
  static ResultTable of(List<ResultRow> figures) {
    ResultTable table = new ResultTable("figure", "value", "ceiling", "ratio", "target", "met");
    figures.forEach(figure -> table.add(cells(figure)));
    return table;
  }

  private static String[] cells(ResultRow figure) {
    return new String[] {
      figure.name(),
      NumberFormat.plain(figure.value()),
      NumberFormat.plain(figure.ceiling()),
      figure.ratio().map(NumberFormat::percent).orElse("-"),
      figure.target().map(ResultRow.Goal::text).orElse("-"),
      figure.met().map(met -> met ? "yes" : "NO").orElse("-")
    };
  }

  /**
   * @param cells as many as there are headings
   */
  void add(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells under " + rows.get(0).size() + " headings");
    }
    rows.add(List.of(cells));
  }

  /** One line per row, without blanks at the ends. */
  List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row, widths)));
    lines.add(1, "-".repeat(lines.stream().mapToInt(String::length).max().orElse(0)));
    return lines;
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line =
        new StringBuilder(row.get(0)).append(" ".repeat(widths[0] - row.get(0).length()));
    for (int i = 1; i < widths.length; i++) {
      line.append(GAP).append(" ".repeat(widths[i] - row.get(i).length())).append(row.get(i));
    }
    return line.toString();
  }
}
