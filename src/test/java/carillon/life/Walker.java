package carillon.life;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes many walks in one world, until one shows something; that one it shortens. */
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
   * Walks so many steps.
   *
   * @return what was found, with the seed and the shortened walk; empty when nothing was
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

  /** In a world of its own: what was found may have left its traces. */
  private Optional<ViolationException> again(Walk walk) {
    world.close();
    world = worlds.get();
    return walk.in(world);
  }

  @Override
  public void close() {
    world.close();
  }
}
