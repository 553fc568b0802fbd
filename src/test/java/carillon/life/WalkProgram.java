package carillon.life;

import java.util.Optional;

/**
 * Program that searches for a planted bug by walks in a separate process, and prints the finding.
 */
final class WalkProgram {
  private static final int LINES = 300;

  private WalkProgram() {}

  /**
   * Plays the bug's own walk, or random ones.
   *
   * @param args the name of a {@link Plant}; then, for random walks, the maximum number of steps
   */
  public static void main(String[] args) {
    try {
      Plant plant = Plant.of(args[0]);
      Optional<String> found =
          args.length > 1 ? plant.search(Long.parseLong(args[1])) : directed(plant);
      System.out.println(found.orElse("nothing"));
    } catch (RuntimeException | AssertionError failure) {
      System.out.println(failure);
    } finally {
      System.out.flush();
      Runtime.getRuntime().halt(0); // threads of the bug may never end
    }
  }

  private static Optional<String> directed(Plant plant) {
    World world = new World(plant.places(), plant.ignored());
    try {
      return plant.directed().in(world).map(ViolationException::getMessage);
    } finally {
      System.out.println(world.model.tape(LINES));
      world.redis.close();
    }
  }
}
