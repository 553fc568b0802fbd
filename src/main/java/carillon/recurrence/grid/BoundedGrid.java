package carillon.recurrence.grid;

/** The elements of a grid between two numbers, both inclusive. */
final class BoundedGrid implements Grid {
  private final Grid grid;
  private final long first;
  private final long last;

  BoundedGrid(Grid grid, long first, long last) {
    this.grid = grid;
    this.first = first;
    this.last = last;
  }

  /**
   * Returns the n-th element from a number on, or {@link #NEVER} if there are fewer. Iterates over
   * the elements. Counting in stretches would be faster for arithmetic grids, but would take
   * seconds for elements that are centuries apart.
   */
  static long nth(Grid grid, long from, int n) {
    long found = grid.ceiling(from);
    for (int i = 1; i < n && found != NEVER; i++) {
      found = grid.ceiling(found + 1);
    }
    return found;
  }

  @Override
  public long ceiling(long from) {
    long found = grid.ceiling(Math.max(from, first));
    return found <= last ? found : NEVER;
  }

  @Override
  public long floor(long to) {
    long found = grid.floor(Math.min(to, last));
    return found >= first ? found : BEFORE;
  }

  @Override
  public long count(long from, long to, long limit) {
    long low = Math.max(from, first);
    long high = last == NEVER ? to : Math.min(to, last + 1);
    return low < high ? grid.count(low, high, limit) : 0;
  }
}
