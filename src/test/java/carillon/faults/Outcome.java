package carillon.faults;

import carillon.load.Percentiles;
import carillon.load.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Result of a scenario.
 *
 * @param verdict of the checker; empty when the scenario did not reach it
 * @param trouble further problems besides the verdict: a node that did not become healthy, an
 *     answer that no client should see
 * @param skipped why the scenario was not run, if it was not
 */
record Outcome(
    Scenario scenario,
    Optional<Verdict> verdict,
    List<String> trouble,
    Optional<String> skipped,
    Duration took) {
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

  /** Whether the scenario has the expected result. A planted bug is expected to be found. */
  boolean isGood() {
    if (skipped.isPresent()) {
      return true;
    }
    return scenario
        .setup()
        .program
        .map(bug -> verdict.filter(bug::isFound).isPresent())
        .orElseGet(() -> verdict.filter(Verdict::holds).isPresent() && trouble.isEmpty());
  }

  /** Returns the reasons why it is not good, one line each; empty when it is good. */
  List<String> complaints() {
    return isGood()
        ? List.of()
        : Stream.concat(trouble.stream(), verdict.map(Verdict::problems).orElse(List.of()).stream())
            .toList();
  }

  /** Returns a Markdown table with one row for each outcome. */
  static List<String> table(List<Outcome> outcomes) {
    Table table = new Table(HEADINGS);
    outcomes.forEach(outcome -> table.add(outcome.row()));
    return table.markdown();
  }

  private List<String> row() {
    List<String> row = new ArrayList<>(List.of(scenario.name()));
    row.addAll(verdict.map(Outcome::figures).orElse(Collections.nCopies(HEADINGS.size() - 3, "-")));
    row.add(seconds(took));
    row.add(word());
    return row;
  }

  private static List<String> figures(Verdict verdict) {
    List<String> figures = new ArrayList<>();
    IntStream.of(
            verdict.owed(),
            verdict.lost(),
            verdict.early(),
            verdict.explained(),
            verdict.unexplained(),
            verdict.phantom(),
            verdict.skipped(),
            verdict.disagreements(),
            verdict.tooLate(),
            verdict.places())
        .forEach(count -> figures.add(Integer.toString(count)));
    figures.add(lateness(verdict.outside()));
    figures.add(lateness(verdict.inside()));
    figures.add(seconds(verdict.recovery()));
    figures.add(String.format(Locale.ROOT, "%.2f", 100 * verdict.available()));
    figures.add(seconds(verdict.gap()));
    return figures;
  }

  private String word() {
    if (skipped.isPresent()) {
      return "skipped: " + skipped.get();
    }
    if (scenario.setup().program.isPresent()) {
      return isGood() ? "found" : "NOT FOUND";
    }
    return isGood() ? "ok" : "FAILED";
  }

  /** p50, p99 and maximum in milliseconds. */
  private static String lateness(List<Duration> times) {
    Percentiles millis = Percentiles.of(times.stream().mapToLong(Duration::toMillis).toArray());
    return times.isEmpty() ? "-" : millis.at(50) + " / " + millis.at(99) + " / " + millis.max();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }
}
