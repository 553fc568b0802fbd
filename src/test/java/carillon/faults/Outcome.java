package carillon.faults;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

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

  /** Whether the scenario says what it should: of a planted bug, that it was found. */
  boolean isGood() {
    if (skipped.isPresent()) {
      return true;
    }
    return scenario
        .setup()
        .program()
        .map(bug -> verdict.filter(bug::isFound).isPresent())
        .orElseGet(() -> verdict.filter(Verdict::holds).isPresent() && trouble.isEmpty());
  }
}
