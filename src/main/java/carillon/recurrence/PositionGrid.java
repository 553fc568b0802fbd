package carillon.recurrence;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Of each period's elements those at certain positions, counted from 1, or from the period's end by
 * negative numbers (BYSETPOS).
 */
final class PositionGrid implements Grid {
  /** Where so many periods with elements have none at these positions there is none at all. */
  private static final int MAX_TRIES = 500;

  private final Grid elements;
  private final Set<Integer> positions;
  private final int first;
  private final int last;
  private final RulePeriods periods;

  /** Elements are mostly asked for one after the other. */
  private volatile Selection latest = new Selection(BEFORE, Collections.emptyNavigableSet());

  /** What is selected in the period that begins at a number. */
  private record Selection(long start, NavigableSet<Long> elements) {}

  /**
   * @param positions none of them 0
   */
  PositionGrid(Grid elements, List<Integer> positions, RulePeriods periods) {
    this.elements = elements;
    this.positions = Set.copyOf(positions);
    this.first = Collections.min(positions);
    this.last = Collections.max(positions);
    this.periods = periods;
  }

  @Override
  public long ceiling(long from) {
    long at = elements.ceiling(periods.startOf(from));
    for (int tries = 0; at != NEVER && tries < MAX_TRIES; tries++) {
      Long found = selected(at).ceiling(from);
      if (found != null) {
        return found;
      }
      at = elements.ceiling(periods.endOf(at));
    }
    return NEVER;
  }

  @Override
  public long floor(long to) {
    long at = elements.floor(periods.endOf(to) - 1);
    for (int tries = 0; at != BEFORE && tries < MAX_TRIES; tries++) {
      Long found = selected(at).floor(to);
      if (found != null) {
        return found;
      }
      at = elements.floor(periods.startOf(at) - 1);
    }
    return BEFORE;
  }

  /** What is selected in the period that contains a number. */
  private NavigableSet<Long> selected(long at) {
    long start = periods.startOf(at);
    Selection known = latest;
    if (known.start() == start) {
      return known.elements();
    }
    long end = periods.endOf(at);
    NavigableSet<Long> found = new TreeSet<>();
    walkForward(start, end, found);
    walkBack(start, end, found);
    latest = new Selection(start, Collections.unmodifiableNavigableSet(found));
    return found;
  }

  private void walkForward(long start, long end, Set<Long> found) {
    long element = last < 0 ? NEVER : elements.ceiling(start);
    for (int position = 1; position <= last && element < end; position++) {
      if (positions.contains(position)) {
        found.add(element);
      }
      element = position == last ? NEVER : elements.ceiling(element + 1);
    }
  }

  private void walkBack(long start, long end, Set<Long> found) {
    long element = first > 0 ? BEFORE : elements.floor(end - 1);
    for (int position = -1; position >= first && element >= start; position--) {
      if (positions.contains(position)) {
        found.add(element);
      }
      element = position == first ? BEFORE : elements.floor(element - 1);
    }
  }
}
