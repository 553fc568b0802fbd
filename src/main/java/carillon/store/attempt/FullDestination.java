package carillon.store.attempt;

import carillon.job.Destination;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * A destination without a free place, and when what calls it comes back: one spacing after the
 * other.
 *
 * @param definitionPart what stands in the stored definition of each job whose action calls it, and
 *     of no other
 * @param at behind this the first comes back, epoch ms
 * @param spacing from one that comes back to the next, ms
 * @param latest none comes back later, epoch ms: it goes on from {@code restart}
 * @param restart epoch ms
 */
public record FullDestination(
    Destination destination,
    String definitionPart,
    double at,
    double spacing,
    double latest,
    double restart) {

  /** The arguments of the script {@code claim} that tell of these. */
  static Collection<String> arguments(List<FullDestination> full) {
    return full.stream().flatMap(FullDestination::arguments).toList();
  }

  private Stream<String> arguments() {
    return Stream.concat(
        Stream.of(definitionPart),
        Stream.of(at, spacing, latest, restart).map(millis -> Double.toString(millis)));
  }
}
