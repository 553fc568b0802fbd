package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Redis' clock relative to this machine's clock, as the suite steps it. A node's knowledge of it is
 * as old as its last heartbeat. Thread-safe.
 */
final class SteppedClock {
  /** Time within which a node knows of a step: two heartbeats of 500 ms. */
  static final Duration KNOWN = Duration.ofSeconds(1);

  private final List<Step> steps =
      new CopyOnWriteArrayList<>(List.of(new Step(Instant.MIN, Duration.ZERO)));

  private record Step(Instant at, Duration ahead) {}

  /** Sets the clock ahead by {@code ahead} from now on. */
  void step(Duration ahead) {
    step(Instant.now(), ahead);
  }

  void step(Instant at, Duration ahead) {
    steps.add(new Step(at, ahead));
  }

  boolean isStepped() {
    return steps.size() > 1;
  }

  /** Returns the latest time that a node may read at an instant of this machine. */
  Instant latest(Instant instant) {
    return instant.plus(
        known(instant).stream().map(Step::ahead).max(Duration::compareTo).orElseThrow());
  }

  /** Returns the earliest time that a node may read at an instant of this machine. */
  Instant earliest(Instant instant) {
    return instant.plus(
        known(instant).stream().map(Step::ahead).min(Duration::compareTo).orElseThrow());
  }

  /** Returns the current step and, for a moment after it, the previous one. */
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
   * Returns since when, by this machine, the clock has been at or after a nominal instant. An
   * occurrence that waits because the clock was set back was not due in that time.
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

  /** Returns when, by this machine, the clock first reached an instant. */
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
