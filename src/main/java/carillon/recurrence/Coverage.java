package carillon.recurrence;

import java.util.Optional;

/**
 * Division of time into stretches that spans of a calendar cover, and stretches that they leave
 * free. Seconds are those of UTC since 1970.
 */
public interface Coverage {
  /**
   * The stretch around a second. Its neighbours may be of the same kind.
   *
   * @param lookups counts what it takes
   */
  Stretch at(long second, Lookups lookups);

  /** The name of the calendar that covers it. */
  String calendar();

  /** How many spans have to be asked one by one for a stretch: what {@link #at} costs. */
  int cost();

  /** Count of lookups of spans that repeat, which is what searches cost. Confined to one thread. */
  final class Lookups {
    private int count;

    /** Counts more: one, or as many as a costly one takes as long as. */
    public void add(int more) {
      count += more;
    }

    /** How many there were. */
    public int count() {
      return count;
    }
  }

  /**
   * Stretch of time that is covered from its begin to its end, or free.
   *
   * @param first second of it; {@link Long#MIN_VALUE} where nothing precedes
   * @param end the first second behind it; {@link Long#MAX_VALUE} where nothing follows
   * @param cause what covers it; empty where it is free
   */
  record Stretch(long first, long end, Optional<Cause> cause) {
    /** Time of which nothing is covered. */
    public static final Stretch FREE =
        new Stretch(Long.MIN_VALUE, Long.MAX_VALUE, Optional.empty());

    /** Whether something covers it. */
    public boolean isCovered() {
      return cause.isPresent();
    }

    /** The part that is also within another one; that one's cause does not count. */
    public Stretch within(Stretch other) {
      return new Stretch(Math.max(first, other.first), Math.min(end, other.end), cause);
    }
  }

  /**
   * What covers a stretch.
   *
   * @param calendar its name
   * @param span name of the span, where it has one
   */
  record Cause(String calendar, Optional<String> span) {}
}
