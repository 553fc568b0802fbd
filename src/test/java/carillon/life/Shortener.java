package carillon.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Leaves out of a walk whatever is not needed to show what it shows (delta debugging). */
final class Shortener {
  private final Function<Walk, Optional<ViolationException>> trial;
  private final Rule rule;
  private final long deadline;

  /**
   * A shortener.
   *
   * @param trial performs a walk
   * @param rule that the walk showed to be broken
   * @param deadline after which the walk is short enough, as {@link System#nanoTime} tells
   */
  Shortener(Function<Walk, Optional<ViolationException>> trial, Rule rule, long deadline) {
    this.trial = trial;
    this.rule = rule;
    this.deadline = deadline;
  }

  Walk shorten(Walk walk) {
    List<Step> steps = walk.steps();
    for (int size = steps.size() / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (int from = 0; from < steps.size() && System.nanoTime() < deadline; ) {
        List<Step> fewer = without(steps, from, Math.min(steps.size(), from + size));
        if (shows(new Walk(walk.theme(), walk.seed(), fewer))) {
          steps = fewer;
        } else {
          from += size;
        }
      }
    }
    return new Walk(walk.theme(), walk.seed(), steps);
  }

  private static List<Step> without(List<Step> steps, int from, int to) {
    List<Step> fewer = new ArrayList<>(steps.subList(0, from));
    fewer.addAll(steps.subList(to, steps.size()));
    return fewer;
  }

  private boolean shows(Walk walk) {
    return trial.apply(walk).filter(violation -> violation.rule() == rule).isPresent();
  }
}
