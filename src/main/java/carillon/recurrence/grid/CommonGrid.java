package carillon.recurrence.grid;

/**
 * Elements of a fine grid whose unit is in a coarse grid, for example minutes on certain days. Each
 * try jumps to the next unit of the coarse grid, or to the unit of the next element of the fine
 * grid.
 */
final class CommonGrid implements Grid {
  /**
   * Maximum number of tries. If none of them finds an element, the search assumes that there is
   * none. They cover all Mondays of four centuries, after which the calendar repeats.
   */
  private static final int MAX_TRIES = 21_000;

  private final Grid fine;
  private final int size;
  private final Grid coarse;

  /**
   * @param size how many numbers of the fine grid a unit covers
   */
  CommonGrid(Grid fine, int size, Grid coarse) {
    this.fine = fine;
    this.size = size;
    this.coarse = coarse;
  }

  @Override
  public long ceiling(long from) {
    long found = fine.ceiling(from);
    for (int tries = 0; found != NEVER && tries < MAX_TRIES; tries++) {
      long unit = Math.floorDiv(found, (long) size);
      long allowed = coarse.ceiling(unit);
      if (allowed == unit || allowed == NEVER) {
        return allowed == unit ? found : NEVER;
      }
      found = fine.ceiling(allowed * size);
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    long found = fine.floor(to);
    for (int tries = 0; found != BEFORE && tries < MAX_TRIES; tries++) {
      long unit = Math.floorDiv(found, (long) size);
      long allowed = coarse.floor(unit);
      if (allowed == unit || allowed == BEFORE) {
        return allowed == unit ? found : BEFORE;
      }
      found = fine.floor((allowed + 1) * size - 1);
    }
    return BEFORE;
  }

  /** Counts in each unit of the coarse grid. */
  @Override
  public long count(long from, long to, long limit) {
    long found = 0;
    long unit = coarse.ceiling(Math.floorDiv(from, (long) size));
    while (unit != NEVER && unit * size < to && found < limit) {
      long low = Math.max(from, unit * size);
      long high = Math.min(to, (unit + 1) * size);
      found += fine.count(low, high, limit - found);
      unit = coarse.ceiling(unit + 1);
    }
    return found;
  }
}
