package carillon.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rows under titles, two blanks between columns. Printed in slices, so that a list of any length
 * takes little memory: columns get wider where a slice needs it, and never narrower.
 */
final class TextTable {
  private static final int SLICE = 100;
  private static final String GAP = "  ";

  private final List<String> titles;
  private final int[] widths;
  private final List<List<String>> rows = new ArrayList<>();
  private boolean isTitled;

  TextTable(String... titles) {
    this.titles = List.of(titles);
    this.widths = new int[titles.length];
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

  /** Prints what was added since the last time; the titles once. */
  void print(PrintWriter out) {
    if (!isTitled) {
      print(titles.stream().map(title -> title.toUpperCase(Locale.ROOT)).toList(), out);
      isTitled = true;
    }
    rows.forEach(row -> print(row, out));
    rows.clear();
  }

  private void print(List<String> cells, PrintWriter out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      line.append(cell);
      line.append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    out.println(line.toString().stripTrailing());
  }

  /** What a target answered must not command the terminal. */
  private static String printable(String cell) {
    return cell.isEmpty() ? "-" : cell.replaceAll("\\p{Cntrl}", " ");
  }
}
