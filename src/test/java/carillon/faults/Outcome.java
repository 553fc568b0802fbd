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
 * How a scenario ended.
 *
 * @param verdict of the checker; empty when it did not come to that
 * @param trouble why it is not well in spite of the verdict: a node that did not become healthy, an
 *     answer that no client should see
 * @param skipped why it was not run at all, if it was not
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

  /** Whether the scenario says what it should: of a planted bug, that it was found. */
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

  /** Why it is not good, a line each; nothing when it is. */
  List<String> complaints() {
    return isGood()
        ? List.of()
        : Stream.concat(trouble.stream(), verdict.map(Verdict::problems).orElse(List.of()).stream())
            .toList();
  }

  /** One line for each of these, as Markdown. */
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
