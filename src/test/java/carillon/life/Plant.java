package carillon.life;

import carillon.life.EditedProduct.Edit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bug that is planted to see that the walk finds it: some text of the product's sources is
 * replaced, see {@link EditedProduct}. Most were in the product once.
 */
interface Plant {
  /** Seed of the first of the random walks that look for it. */
  long SEED = 1;

  /**
   * A bug, and how it is found.
   *
   * @param rule that it breaks
   * @param theme of random walks that find it
   * @param steps a walk that finds it each time
   * @param edits what makes the bug
   */
  record Bug(Rule rule, Theme theme, List<Step> steps, List<Edit> edits) {
    static Bug of(Rule rule, Theme theme, String steps, Edit... edits) {
      return new Bug(rule, theme, steps.lines().map(Step::of).toList(), List.of(edits));
    }
  }

  /** All of them. */
  static Stream<Plant> all() {
    return Stream.of(JobPlant.values(), OccurrencePlant.values(), FlowPlant.values())
        .flatMap(Stream::of);
  }

  /** The one with this name. */
  static Plant of(String name) {
    return all().filter(plant -> plant.name().equals(name)).findFirst().orElseThrow();
  }

  String name();

  Bug bug();

  /** The walk that finds it each time, and nothing where it is not planted. */
  default Walk directed() {
    return new Walk(bug().theme(), SEED, bug().steps());
  }

  /** Looks for it by random walks of so many steps in all; what was found. */
  default Optional<String> search(long most) {
    try (Walker walker = new Walker(() -> new World(places(), ignored()))) {
      return walker.walk(bug().theme(), SEED, most);
    }
  }

  /** Of each destination, on each node. */
  default int places() {
    return bug().theme().places();
  }

  /** Rules that it breaks before its own. */
  default Set<Rule> ignored() {
    return Set.of();
  }

  /**
   * Runs {@link WalkProgram} in a process that has the bug; what it says.
   *
   * @param arguments beside the name of this
   */
  default String find(Path dir, String... arguments) throws IOException, InterruptedException {
    return new EditedProduct(dir, bug().edits()).run(name(), arguments);
  }
}
