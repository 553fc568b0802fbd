package carillon.store.operation;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Arithmetic of histograms: how many values were within each of some rising bounds, and as the last
 * count, how many were beyond all of them.
 */
final class Histogram {
  private Histogram() {}

  /** Reads what {@link #text} wrote. */
  static List<Long> read(String text) {
    return Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
  }

  static String text(List<Long> counts) {
    return counts.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  /**
   * The sum of two of the same bounds.
   *
   * @param sign of the second: -1 takes it away
   */
  static List<Long> sum(List<Long> counts, List<Long> others, int sign) {
    return IntStream.range(0, counts.size())
        .mapToObj(i -> counts.get(i) + sign * others.get(i))
        .toList();
  }

  static long total(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /** How many were beyond one of the bounds. */
  static long beyond(double bound, List<Double> bounds, List<Long> counts) {
    return total(counts.subList(bounds.indexOf(bound) + 1, counts.size()));
  }

  /**
   * The bound next above the value that this part of all did not exceed, or the last one. Empty
   * without values.
   *
   * @param part of one
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
