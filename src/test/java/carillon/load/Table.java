package carillon.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows in columns, as text or as Markdown. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table without rows. */
  public Table(List<String> headings) {
    rows.add(List.copyOf(headings));
  }

  /**
   * Adds a row.
   *
   * @param cells one cell per heading
   */
  public void add(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells under " + rows.get(0).size() + " headings");
    }
    rows.add(List.copyOf(cells));
  }

  /**
   * Returns one line per row, and a rule below the headings. The first column is aligned left, the
   * others right.
   */
  public List<String> lines() {
    List<String> lines =
        lines((row, column) -> column == 0 ? left(row, 0) : right(row, column), GAP);
    lines.add(1, "-".repeat(lines.stream().mapToInt(String::length).max().orElse(0)));
    return lines;
  }

  /** Returns one line per row in Markdown. */
  public List<String> markdown() {
    List<String> lines = new ArrayList<>();
    lines(this::left, " | ").forEach(line -> lines.add("| " + line + " |"));
    lines.add(1, "|---".repeat(rows.get(0).size()) + "|");
    return lines;
  }

  /** Pads a cell with blanks. */
  private interface Layout {
    String cell(List<String> row, int column);
  }

  private List<String> lines(Layout layout, String gap) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, row.size())
                    .mapToObj(column -> layout.cell(row, column))
                    .collect(Collectors.joining(gap)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private String left(List<String> row, int column) {
    return row.get(column) + blanks(row, column);
  }

  private String right(List<String> row, int column) {
    return blanks(row, column) + row.get(column);
  }

  private String blanks(List<String> row, int column) {
    int width = rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
    return " ".repeat(width - row.get(column).length());
  }

  /** Formats a number with about four digits: 12,345 or 12.3 or 1.23. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) || size >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  /** Formats a share from 0 to 1 as a percentage. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
  }
}
