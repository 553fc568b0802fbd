package carillon.life;

import carillon.life.EditedProduct.Edit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Planted bug, to check that the walk finds it. Some text of the product's sources is replaced, see
 * {@link EditedProduct}. Most of these bugs were in the product once.
 */
interface Plant {
  /** Seed of the first of the random walks that look for it. */
  long SEED = 1;

  /**
   * Bug, and how it is found.
   *
   * @param rule that it breaks
   * @param theme of random walks that find it
   * @param steps a walk that finds it each time
   * @param edits the source edits that plant the bug
   */
  record Bug(Rule rule, Theme theme, List<Step> steps, List<Edit> edits) {
    static Bug of(Rule rule, Theme theme, String steps, Edit... edits) {
      return new Bug(rule, theme, steps.lines().map(Step::of).toList(), List.of(edits));
    }
  }

  /** Returns all plants. */
  static Stream<Plant> all() {
    return Stream.of(JobPlant.values(), OccurrencePlant.values(), FlowPlant.values())
        .flatMap(Stream::of);
  }

  /** Returns the plant with this name. */
  static Plant of(String name) {
    return all().filter(plant -> plant.name().equals(name)).findFirst().orElseThrow();
  }

  String name();

  Bug bug();

  /** Returns the walk that always finds the bug, and finds nothing without it. */
  default Walk directed() {
    return new Walk(bug().theme(), SEED, bug().steps());
  }

  /** Searches for the bug by random walks with a total number of steps. Returns the finding. */
  default Optional<String> search(long most) {
    try (Walker walker = new Walker(() -> new World(places(), ignored()))) {
      return walker.walk(bug().theme(), SEED, most);
    }
  }

  /** Number of places of each destination, on each node. */
  default int places() {
    return bug().theme().places();
  }

  /** Rules that the bug breaks before its own rule. */
  default Set<Rule> ignored() {
    return Set.of();
  }

  /**
   * Runs {@link WalkProgram} in a process with the bug, and returns its output.
   *
   * @param arguments after the name of this plant
   */
  default String find(Path dir, String... arguments) throws IOException, InterruptedException {
    return new EditedProduct(dir, bug().edits()).run(name(), arguments);
  }
}
