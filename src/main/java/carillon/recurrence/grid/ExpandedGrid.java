package carillon.recurrence.grid;

import java.util.Arrays;

/**
 * Grid that expands each element of a coarse grid to the same points inside it. For example, it
 * expands days to times of day, hours to minutes, or weeks to weekdays. Unit u covers {@code size}
 * finer numbers from {@code origin + u * size} on; the points are offsets from there.
 */
final class ExpandedGrid implements Grid {
  private final Grid units;
  private final int size;
  private final int origin;
  private final int[] offsets;

  /**
   * @param offsets one or more, in 0..size-1, in any order; each counts once
   */
  ExpandedGrid(Grid units, int size, int origin, int[] offsets) {
    this.units = units;
    this.size = size;
    this.origin = origin;
    this.offsets = Arrays.stream(offsets).sorted().distinct().toArray();
  }

  ExpandedGrid(Grid units, int size, int[] offsets) {
    this(units, size, 0, offsets);
  }

  @Override
  public long ceiling(long from) {
    long unit = units.ceiling(unitOf(from));
    if (unit == NEVER) {
      return NEVER;
    }
    int place = offsetsBelow(from - startOf(unit));
    if (place < offsets.length) {
      return startOf(unit) + offsets[place];
    }
    long next = units.ceiling(unit + 1);
    return next == NEVER ? NEVER : startOf(next) + offsets[0];
  }

  @Override
  public long floor(long to) {
    long unit = units.floor(unitOf(to));
    if (unit == BEFORE) {
      return BEFORE;
    }
    int place = offsetsBelow(to - startOf(unit) + 1) - 1;
    if (place >= 0) {
      return startOf(unit) + offsets[place];
    }
    long previous = units.floor(unit - 1);
    return previous == BEFORE ? BEFORE : startOf(previous) + offsets[offsets.length - 1];
  }

  @Override
  public long count(long from, long to, long limit) {
    int points = offsets.length;
    // One unit more than the limit needs, as the first may be partly outside.
    long whole = units.count(unitOf(from), unitOf(to), limit / points + 2);
    return Math.min(limit, whole * points - pointsBefore(from) + pointsBefore(to));
  }

  /** Number of points before {@code value} in its unit. */
  private int pointsBefore(long value) {
    long unit = unitOf(value);
    return units.ceiling(unit) == unit ? offsetsBelow(value - startOf(unit)) : 0;
  }

  private int offsetsBelow(long offset) {
    int place = Arrays.binarySearch(offsets, (int) Math.max(-1, Math.min(offset, size)));
    return place >= 0 ? place : -place - 1;
  }

  private long unitOf(long value) {
    return Math.floorDiv(value - origin, (long) size);
  }

  private long startOf(long unit) {
    return origin + unit * size;
  }
}
