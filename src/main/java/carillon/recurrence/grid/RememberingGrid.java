package carillon.recurrence.grid;

/**
 * Grid that caches its last search. Callers that ask for successive elements, or compare several
 * grids, repeat the same long search for rare elements. May be used by any thread.
 */
final class RememberingGrid implements Grid {
  private final Grid grid;
  private volatile Searched ahead = new Searched(NEVER, BEFORE);
  private volatile Searched behind = new Searched(NEVER, BEFORE);

  /** Range of numbers, both inclusive, for which the answer is the same. */
  private record Searched(long first, long last) {
    boolean contains(long number) {
      return number >= first && number <= last;
    }
  }

  RememberingGrid(Grid grid) {
    this.grid = grid;
  }

  @Override
  public long ceiling(long from) {
    Searched known = ahead;
    if (known.contains(from)) {
      return known.last();
    }
    long found = grid.ceiling(from);
    ahead = new Searched(from, found);
    return found;
  }

  @Override
  public long floor(long to) {
    Searched known = behind;
    if (known.contains(to)) {
      return known.first();
    }
    long found = grid.floor(to);
    behind = new Searched(found, to);
    return found;
  }

  @Override
  public long count(long from, long to, long limit) {
    return grid.count(from, to, limit);
  }
}
