package carillon.load;

import java.util.Arrays;

/** Sorted values with percentiles by nearest rank: every result is a value that occurred. */
public final class Percentiles {
  private final long[] sorted;

  private Percentiles(long[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Returns the percentiles of these values, which may have any order. Does not change the array.
   */
  public static Percentiles of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  /** Returns the number of values. */
  public int count() {
    return sorted.length;
  }

  /**
   * Returns the smallest value that is greater than or equal to at least this share of all values.
   * Returns 0 without values.
   *
   * @param percent above 0, at most 100
   */
  public long at(double percent) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(1, Math.min(rank, sorted.length)) - 1];
  }

  /** Returns the greatest value, or 0 without values. */
  public long max() {
    return at(100);
  }

  /** Returns the number of values below zero. */
  public int negative() {
    int count = 0;
    while (count < sorted.length && sorted[count] < 0) {
      count++;
    }
    return count;
  }

  /** Measured values, collected by several event loops. Thread-safe. */
  public static final class Samples {
    private long[] values = new long[1 << 16];
    private int size;

    /** Adds a value. */
    public synchronized void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    /** Returns the number of values so far. */
    public synchronized int size() {
      return size;
    }

    /** Returns the percentiles of the values so far. */
    public synchronized Percentiles percentiles() {
      return Percentiles.of(Arrays.copyOf(values, size));
    }
  }
}
