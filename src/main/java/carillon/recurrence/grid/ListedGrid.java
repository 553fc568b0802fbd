package carillon.recurrence.grid;

import java.util.Arrays;

/** A grid of a few numbers, each of them listed. */
final class ListedGrid implements Grid {
  private final long[] numbers;

  /**
   * @param numbers in increasing order
   */
  ListedGrid(long... numbers) {
    this.numbers = numbers.clone();
  }

  @Override
  public long ceiling(long from) {
    int place = below(from);
    return place < numbers.length ? numbers[place] : NEVER;
  }

  @Override
  public long floor(long to) {
    int place = to == NEVER ? numbers.length : below(to + 1);
    return place > 0 ? numbers[place - 1] : BEFORE;
  }

  @Override
  public long count(long from, long to, long limit) {
    return Math.min(limit, below(to) - below(from));
  }

  private int below(long value) {
    int place = Arrays.binarySearch(numbers, value);
    return place >= 0 ? place : -place - 1;
  }
}
