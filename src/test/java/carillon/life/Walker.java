package carillon.life;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Makes many walks in one world, until one shows something; that one it shortens. */
final class Walker implements AutoCloseable {
  private static final int STEPS = 80;
  private static final int TRIALS = 3;
  private static final int MOST_LINES = 300;
  private static final long SHORTENING = TimeUnit.SECONDS.toNanos(90);

  private World world = new World();

  /**
   * Walks so many steps.
   *
   * @return what was found, with the seed and the shortened walk; empty when nothing was
   */
  Optional<String> walk(Theme theme, long firstSeed, long steps) {
    for (long seed = firstSeed; (seed - firstSeed) * STEPS < steps; seed++) {
      Walk walk = Walk.of(theme, seed, STEPS);
      Optional<Violation> violation = walk.in(world);
      if (violation.isPresent()) {
        return Optional.of(tell(walk, violation.get()));
      }
    }
    return Optional.empty();
  }

  private String tell(Walk walk, Violation violation) {
    String seed = "-Dcarillon.walk.theme=" + walk.theme() + " -Dcarillon.walk.seed=" + walk.seed();
    String first = happened();
    Walk shorter =
        new Shortener(this::again, violation.rule(), System.nanoTime() + SHORTENING).shorten(walk);
    for (int i = 0; i < TRIALS; i++) {
      Optional<Violation> shown = again(shorter);
      if (shown.isPresent()) {
        return shown.get().getMessage() + "\n" + seed + ", shortened\n" + happened();
      }
    }
    return violation.getMessage() + "\n" + seed + ", not shown again by fewer steps\n" + first;
  }

  private String happened() {
    List<String> tape = world.model.tape();
    return String.join("\n", tape.subList(Math.max(0, tape.size() - MOST_LINES), tape.size()));
  }

  /** In a world of its own: what was found may have left its traces. */
  private Optional<Violation> again(Walk walk) {
    world.close();
    world = new World();
    return walk.in(world);
  }

  @Override
  public void close() {
    world.close();
  }
}
