package carillon.benchmark;

import java.util.Arrays;

/** Measured values, collected by several event loops. */
final class Samples {
  private long[] values = new long[1 << 16];
  private int size;

  synchronized void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  synchronized int size() {
    return size;
  }

  synchronized Percentiles percentiles() {
    return Percentiles.of(Arrays.copyOf(values, size));
  }
}
