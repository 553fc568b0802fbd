package carillon.benchmark;

import java.util.Arrays;

/** Values in order of size; nearest rank, so that every answer is a value that occurred. */
final class Percentiles {
  private final long[] sorted;

  private Percentiles(long[] sorted) {
    this.sorted = sorted;
  }

  /** Of these values, in any order; the array stays as it is. */
  static Percentiles of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  int count() {
    return sorted.length;
  }

  /**
   * The smallest value that at least this share of all values does not exceed; 0 when there is
   * none.
   *
   * @param percent above 0, at most 100
   */
  long at(double percent) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, Math.min(rank, sorted.length)) - 1];
  }

  long max() {
    return at(100);
  }

  /** How many values are below zero. */
  int negative() {
    int count = 0;
    while (count < sorted.length && sorted[count] < 0) {
      count++;
    }
    return count;
  }
}
