package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Redis' clock by this machine's, as the suite steps it. What a node knows of it is a heartbeat
 * old. Thread-safe.
 */
final class SteppedClock {
  /** A node hears of a step with the answer to its next heartbeat, which is one each 500 ms. */
  static final Duration KNOWN = Duration.ofSeconds(1);

  private final List<Step> steps =
      new CopyOnWriteArrayList<>(List.of(new Step(Instant.MIN, Duration.ZERO)));

  private record Step(Instant at, Duration ahead) {}

  /** From now on the clock is ahead by this. */
  void step(Duration ahead) {
    step(Instant.now(), ahead);
  }

  void step(Instant at, Duration ahead) {
    steps.add(new Step(at, ahead));
  }

  /** Whether it has been stepped. */
  boolean isStepped() {
    return steps.size() > 1;
  }

  /** The latest that a node may take it to be at an instant of this machine. */
  Instant latest(Instant instant) {
    return instant.plus(
        known(instant).stream().map(Step::ahead).max(Duration::compareTo).orElseThrow());
  }

  /** The earliest that a node may take it to be. */
  Instant earliest(Instant instant) {
    return instant.plus(
        known(instant).stream().map(Step::ahead).min(Duration::compareTo).orElseThrow());
  }

  /** What it is ahead by, and what it was a moment before. */
  private List<Step> known(Instant instant) {
    return steps.stream()
        .filter(step -> !step.at().isAfter(instant))
        .filter(
            step ->
                steps.indexOf(step) == steps.size() - 1
                    || !end(steps.indexOf(step)).plus(KNOWN).isBefore(instant))
        .toList();
  }

  private Instant end(int step) {
    return steps.get(step + 1).at();
  }

  /**
   * Since when, by this machine, the clock has not been before a nominal instant: what waited
   * because the clock was set back has not been due meanwhile.
   */
  Instant dueSince(Instant nominal, Instant seen) {
    Instant since = seen;
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.at().isBefore(seen)) {
        Instant reached = nominal.minus(step.ahead());
        boolean here = reached.isAfter(step.at());
        if (here && (since.equals(seen) || reached.isBefore(since))) {
          return reached;
        }
        if (here) {
          return since;
        }
        since = step.at();
      }
    }
    return since;
  }

  /** When, by this machine, the clock came to an instant for the first time. */
  Instant reached(Instant instant) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Instant here = instant.minus(step.ahead());
      Instant from = here.isAfter(step.at()) ? here : step.at();
      if (i == steps.size() - 1 || from.isBefore(end(i))) {
        return from;
      }
    }
    throw new IllegalStateException("there is a last step");
  }
}
