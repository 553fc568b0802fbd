package carillon.life;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes many walks in one world until one reveals a violation, and shortens that walk. */
final class Walker implements AutoCloseable {
  private static final int STEPS = 80;
  private static final int TRIALS = 3;
  private static final int MAX_LINES = 300;
  private static final long SHORTENING = TimeUnit.SECONDS.toNanos(90);

  private final Supplier<World> worlds;
  private World world;

  Walker(Supplier<World> worlds) {
    this.worlds = worlds;
    this.world = worlds.get();
  }

  /**
   * Walks a number of steps.
   *
   * @return the finding with the seed and the shortened walk; empty for no finding
   */
  Optional<String> walk(Theme theme, long firstSeed, long steps) {
    for (long seed = firstSeed; (seed - firstSeed) * STEPS < steps; seed++) {
      Walk walk = Walk.of(theme, seed, STEPS);
      Optional<ViolationException> violation = walk.in(world);
      if (violation.isPresent()) {
        return Optional.of(tell(walk, violation.get()));
      }
    }
    return Optional.empty();
  }

  private String tell(Walk walk, ViolationException violation) {
    String seed = "-Dcarillon.walk.theme=" + walk.theme() + " -Dcarillon.walk.seed=" + walk.seed();
    String first = happened();
    Walk shorter =
        new Shortener(this::again, violation.rule(), System.nanoTime() + SHORTENING).shorten(walk);
    for (int i = 0; i < TRIALS; i++) {
      Optional<ViolationException> shown = again(shorter);
      if (shown.isPresent()) {
        return shown.get().getMessage() + "\n" + seed + ", shortened\n" + happened();
      }
    }
    return violation.getMessage() + "\n" + seed + ", not shown again by fewer steps\n" + first;
  }

  private String happened() {
    return world.model.tape(MAX_LINES);
  }

  /** Repeats a walk in a new world, because the finding may have left traces in the old one. */
  private Optional<ViolationException> again(Walk walk) {
    world.close();
    world = worlds.get();
    return walk.in(world);
  }

  /**
   * Removes all steps from a walk that are not needed to reveal the violation (delta debugging).
   */
  private static final class Shortener {
    private final Function<Walk, Optional<ViolationException>> trial;
    private final Rule rule;
    private final long deadline;

    /**
     * Creates a shortener.
     *
     * @param trial performs a walk
     * @param rule that the walk showed to be broken
     * @param deadline after which the walk is short enough, in the time of {@link System#nanoTime}
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

  @Override
  public void close() {
    world.close();
  }
}
