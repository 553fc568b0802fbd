package carillon.recurrence.grid;

import java.time.LocalDate;

/**
 * An increasing sequence of whole numbers that count some unit of time from 1970: seconds, hours,
 * days, proleptic months. It has a first element, and no element after the year 9999. Elements are
 * found by arithmetic, in bounded time for any position.
 */
public interface Grid {
  /** The last day that any grid reaches. */
  LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

  /** Result of {@link #ceiling} if no element follows; greater than any element. */
  long NEVER = Long.MAX_VALUE;

  /** Result of {@link #floor} if no element precedes; less than any element. */
  long BEFORE = Long.MIN_VALUE;

  /** The smallest element that is at least {@code from}, or {@link #NEVER}. */
  long ceiling(long from);

  /** The greatest element that is at most {@code to}, or {@link #BEFORE}. */
  long floor(long to);

  /**
   * Number of elements in [from, to), counted up to {@code limit}. This default iterates over the
   * elements; some grids count by arithmetic.
   *
   * @param to at least {@code from}
   */
  default long count(long from, long to, long limit) {
    long found = 0;
    for (long next = ceiling(from); next < to && found < limit; next = ceiling(next + 1)) {
      found++;
    }
    return found;
  }
}
