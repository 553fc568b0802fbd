package carillon.store.attempt;

import carillon.job.action.Destination;
import java.util.List;
import java.util.stream.Stream;

/**
 * Destination whose calls were recently deferred: its free places for a claim, and the instants at
 * which a claim defers further calls.
 *
 * @param origins scheme, host and port as the URIs of its callers spell them
 * @param places free places that this claim may fill, 0 or more
 * @param at the first deferred call is due after this, epoch ms
 * @param spacing time between two deferred calls, ms
 * @param latest latest instant of a deferred call, epoch ms; further calls continue from {@code
 *     restart}
 * @param restart epoch ms
 */
public record CrowdedDestination(
    Destination destination,
    List<String> origins,
    int places,
    double at,
    double spacing,
    double latest,
    double restart) {

  Stream<String> arguments() {
    return Stream.concat(
        Stream.of(destination.authority(), String.join(" ", origins), Integer.toString(places)),
        Stream.of(at, spacing, latest, restart).map(millis -> Double.toString(millis)));
  }

  /**
   * Effect of a claim on the calls of a crowded destination.
   *
   * @param deferred number of calls that found no place
   * @param places number of places that found no caller
   */
  public record Met(int deferred, int places) {
    static Met parse(String text) {
      int slash = text.indexOf('/');
      return new Met(
          Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }
  }
}
