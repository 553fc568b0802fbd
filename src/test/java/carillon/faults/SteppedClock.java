package carillon.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** What a clock that is stepped says, at the latest: a node learns of a step a heartbeat later. */
final class SteppedClock implements UnaryOperator<Instant> {
  private static final Duration KNOWN = Duration.ofSeconds(3);

  private final List<Step> steps = new CopyOnWriteArrayList<>();

  private record Step(Instant at, Duration ahead) {}

  /** From now on the clock is ahead by this. */
  void step(Duration ahead) {
    steps.add(new Step(Instant.now(), ahead));
  }

  @Override
  public Instant apply(Instant instant) {
    Duration most = Duration.ZERO;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Instant end = i + 1 < steps.size() ? steps.get(i + 1).at() : Instant.MAX.minus(KNOWN);
      boolean held = !step.at().isAfter(instant) && !end.plus(KNOWN).isBefore(instant);
      if (held && step.ahead().compareTo(most) > 0) {
        most = step.ahead();
      }
    }
    return instant.plus(most);
  }
}
