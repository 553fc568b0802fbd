package carillon.store.attempt;

import carillon.job.Destination;
import java.util.stream.Stream;

/**
 * A destination that has put off calls lately: how many places it has for a claim, and when what
 * finds none comes back, one spacing after the other.
 *
 * @param definitionPart what stands in the stored definition of each job whose action calls it, and
 *     of no other
 * @param places free ones that this claim may fill, 0 or more
 * @param at behind this the first comes back, epoch ms
 * @param spacing from one that comes back to the next, ms
 * @param latest none comes back later, epoch ms: it goes on from {@code restart}
 * @param restart epoch ms
 */
public record CrowdedDestination(
    Destination destination,
    String definitionPart,
    int places,
    double at,
    double spacing,
    double latest,
    double restart) {

  Stream<String> arguments() {
    return Stream.concat(
        Stream.of(definitionPart, Integer.toString(places)),
        Stream.of(at, spacing, latest, restart).map(millis -> Double.toString(millis)));
  }

  /**
   * What a claim did with what calls a crowded destination.
   *
   * @param putOff how many found no place
   * @param places that found no caller, as far as it looked
   */
  public record Met(int putOff, int places) {
    static Met parse(String text) {
      int slash = text.indexOf('/');
      return new Met(
          Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }
  }
}
