package carillon.recurrence.grid;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Grid of seconds, seen as instants. All instants have the same fraction of a second, and lie
 * between two bounds, both inclusive.
 */
public final class InstantGrid {
  /** The upper bound; time ends with the year 9999. */
  public static final Instant LAST = Grid.LAST_DAY.atTime(LocalTime.MAX).toInstant(ZoneOffset.UTC);

  public static final InstantGrid NONE = new InstantGrid(ArithmeticGrid.none(), LAST, LAST);

  private final Grid seconds;
  private final int fraction;
  private final Instant earliest;

  /**
   * @param anchor instant from which the grid was built; all elements have its fraction of a second
   * @param earliest the inclusive lower bound
   */
  public InstantGrid(Grid seconds, Instant anchor, Instant earliest) {
    this(seconds, anchor.get(ChronoField.NANO_OF_SECOND), earliest);
  }

  private InstantGrid(Grid seconds, int fraction, Instant earliest) {
    this.seconds = seconds;
    this.fraction = fraction;
    this.earliest = earliest;
  }

  /**
   * Returns this grid after a mapping of its seconds.
   *
   * @param last no element after it counts (inclusive)
   */
  public InstantGrid mapped(UnaryOperator<Grid> mapping, Instant last) {
    Grid bounded =
        new BoundedGrid(seconds, secondAtOrAfter(earliest), secondAtOrAfter(last.plusNanos(1)) - 1);
    return new InstantGrid(mapping.apply(bounded), fraction, earliest);
  }

  public Optional<Instant> atOrAfter(Instant instant) {
    Instant from = instant.isBefore(earliest) ? earliest : instant;
    if (from.isAfter(LAST)) {
      return Optional.empty();
    }
    long second = seconds.ceiling(secondAtOrAfter(from));
    return second == Grid.NEVER
        ? Optional.empty()
        : Optional.of(at(second)).filter(found -> !found.isAfter(LAST));
  }

  public Optional<Instant> atOrBefore(Instant instant) {
    Instant to = instant.isAfter(LAST) ? LAST : instant;
    if (to.isBefore(earliest)) {
      return Optional.empty();
    }
    long second = seconds.floor(secondAtOrAfter(to.plusNanos(1)) - 1);
    return second == Grid.BEFORE
        ? Optional.empty()
        : Optional.of(at(second)).filter(found -> !found.isBefore(earliest));
  }

  /** Number of elements in [from, to), up to {@code limit}. */
  public long count(Instant from, Instant to, long limit) {
    Instant low = from.isBefore(earliest) ? earliest : from;
    Instant high = to.isAfter(LAST) ? LAST.plusNanos(1) : to;
    return low.isBefore(high)
        ? seconds.count(secondAtOrAfter(low), secondAtOrAfter(high), limit)
        : 0;
  }

  /** The smallest second that, with the fraction, is at or after the instant. */
  private long secondAtOrAfter(Instant instant) {
    return instant.getEpochSecond() + (instant.getNano() > fraction ? 1 : 0);
  }

  private Instant at(long second) {
    return Instant.ofEpochSecond(second, fraction);
  }
}
