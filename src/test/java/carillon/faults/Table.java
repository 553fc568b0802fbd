package carillon.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of a run, one line for each scenario. */
final class Table {
  private static final List<String> HEADINGS =
      List.of(
          "scenario",
          "owed",
          "lost",
          "early",
          "dup",
          "dup!",
          "phantom",
          "skipped",
          "history",
          "late!",
          "places",
          "late outside",
          "late inside",
          "recover",
          "API %",
          "gap",
          "took",
          "verdict");

  private Table() {}

  /** As Markdown. */
  static String of(List<Outcome> outcomes) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    outcomes.forEach(outcome -> rows.add(row(outcome)));
    int[] widths = new int[HEADINGS.size()];
    rows.forEach(
        row -> {
          for (int i = 0; i < row.size(); i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
          }
        });
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      for (int i = 0; i < widths.length; i++) {
        String cell = i < rows.get(r).size() ? rows.get(r).get(i) : "";
        text.append("| ").append(cell).append(" ".repeat(widths[i] - cell.length() + 1));
      }
      text.append("|\n");
      if (r == 0) {
        text.append("|---".repeat(widths.length)).append("|\n");
      }
    }
    return text.toString();
  }

  private static List<String> row(Outcome outcome) {
    List<String> row = new ArrayList<>(List.of(outcome.scenario().name()));
    outcome
        .verdict()
        .ifPresentOrElse(
            v ->
                row.addAll(
                    List.of(
                        Integer.toString(v.owed()),
                        Integer.toString(v.lost()),
                        Integer.toString(v.early()),
                        Integer.toString(v.explained()),
                        Integer.toString(v.unexplained()),
                        Integer.toString(v.phantom()),
                        Integer.toString(v.skipped()),
                        Integer.toString(v.disagreements()),
                        Integer.toString(v.tooLate()),
                        Integer.toString(v.places()),
                        lateness(v.outside()),
                        lateness(v.inside()),
                        seconds(v.recovery()),
                        String.format(Locale.ROOT, "%.2f", 100 * v.available()),
                        seconds(v.gap()))),
            () -> {
              while (row.size() < HEADINGS.size() - 2) {
                row.add("-");
              }
            });
    row.add(seconds(outcome.took()));
    row.add(word(outcome));
    return row;
  }

  private static String word(Outcome outcome) {
    if (outcome.skipped().isPresent()) {
      return "skipped: " + outcome.skipped().get();
    }
    if (outcome.scenario().setup().program().isPresent()) {
      return outcome.isGood() ? "found" : "NOT FOUND";
    }
    return outcome.isGood() ? "ok" : "FAILED";
  }

  /** p50, p99 and maximum in milliseconds. */
  private static String lateness(List<Duration> sorted) {
    return sorted.isEmpty()
        ? "-"
        : at(sorted, 50) + " / " + at(sorted, 99) + " / " + at(sorted, 100);
  }

  private static long at(List<Duration> sorted, int percent) {
    return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1)).toMillis();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }
}
