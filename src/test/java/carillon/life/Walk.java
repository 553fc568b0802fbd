package carillon.life;

import java.util.List;
import java.util.Optional;

/** Sequence of steps. */
record Walk(Theme theme, long seed, List<Step> steps) {
  static Walk of(Theme theme, long seed, int length) {
    return new Walk(theme, seed, theme.steps(seed, length));
  }

  /** Performs the walk, and returns the violation that it revealed. */
  Optional<ViolationException> in(World world) {
    world.renew(theme);
    Player player = new Player(world, theme);
    try {
      for (int i = 0; i < steps.size(); i++) {
        world.model.note(i + 1 + ". " + steps.get(i).words() + " (" + world.clock.instant() + ")");
        player.perform(steps.get(i));
      }
      world.model.note("then all is well again (" + world.clock.instant() + ")");
      player.end();
      return Optional.empty();
    } catch (ViolationException violation) {
      return Optional.of(violation);
    }
  }
}
