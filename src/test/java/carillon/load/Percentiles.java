package carillon.load;

import java.util.Arrays;

/** Values in order of size; nearest rank, so that every answer is a value that occurred. */
public final class Percentiles {
  private final long[] sorted;

  private Percentiles(long[] sorted) {
    this.sorted = sorted;
  }

  /** Of these values, in any order; the array stays as it is. */
  public static Percentiles of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  /** How many values there are. */
  public int count() {
    return sorted.length;
  }

  /**
   * The smallest value that at least this share of all values does not exceed; 0 when there is
   * none.
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

  /** The greatest value; 0 when there is none. */
  public long max() {
    return at(100);
  }

  /** How many values are below zero. */
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

    /** How many there are until now. */
    public synchronized int size() {
      return size;
    }

    /** Percentiles of the values until now. */
    public synchronized Percentiles percentiles() {
      return Percentiles.of(Arrays.copyOf(values, size));
    }
  }
}
