package carillon.store.attempt;

import carillon.job.action.Destination;
import java.util.stream.Stream;

/**
 * Deferred calls of a destination that a claim takes before their time, because there are places.
 *
 * @param places 1 or more
 */
public record DeferredCalls(Destination destination, int places) {
  Stream<String> arguments() {
    return Stream.of(destination.authority(), Integer.toString(places));
  }

  /**
   * Deferred calls that remain after a claim.
   *
   * @param places that found no caller
   * @param entries of the index: deferred calls, and perhaps some that are claimed already
   */
  public record Left(int places, int entries) {
    static Left parse(String text) {
      int slash = text.indexOf('/');
      return new Left(
          Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }
  }
}
