package carillon.store.operation;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Arithmetic of histograms: the number of values within each of some rising bounds, and as the last
 * count, the number beyond all of them.
 */
final class Histogram {
  private Histogram() {}

  /** Parses the result of {@link #text}. */
  static List<Long> read(String text) {
    return Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
  }

  static String text(List<Long> counts) {
    return counts.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  /**
   * Returns the sum of two histograms with the same bounds.
   *
   * @param sign sign of the second histogram: -1 subtracts it
   */
  static List<Long> sum(List<Long> counts, List<Long> others, int sign) {
    return IntStream.range(0, counts.size())
        .mapToObj(i -> counts.get(i) + sign * others.get(i))
        .toList();
  }

  static long total(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how many values were beyond one of the bounds. */
  static long beyond(double bound, List<Double> bounds, List<Long> counts) {
    return total(counts.subList(bounds.indexOf(bound) + 1, counts.size()));
  }

  /**
   * Returns a quantile, rounded up to a bound. It is the last bound for greater values, and empty
   * without values.
   *
   * @param part fraction of all values, up to 1
   */
  static OptionalDouble quantile(double part, List<Double> bounds, List<Long> counts) {
    long all = total(counts);
    if (all == 0) {
      return OptionalDouble.empty();
    }
    long cumulative = 0;
    for (int i = 0; i < bounds.size(); i++) {
      cumulative += counts.get(i);
      if (cumulative >= all * part) {
        return OptionalDouble.of(bounds.get(i));
      }
    }
    return OptionalDouble.of(bounds.get(bounds.size() - 1));
  }
}
