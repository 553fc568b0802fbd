package carillon.recurrence;

import java.util.Optional;

/**
 * Division of time into stretches that spans of a calendar cover, and free stretches. Seconds are
 * UTC seconds since 1970.
 */
public interface Coverage {
  /**
   * The stretch around a second. Its neighbours may be of the same kind.
   *
   * @param lookups counts the lookups of this call
   */
  Stretch at(long second, Lookups lookups);

  /** The name of the calendar that covers it. */
  String calendar();

  /** Number of spans to ask separately for a stretch, which is the cost of {@link #at}. */
  int cost();

  /**
   * Count of lookups of repeated spans, the measure of the cost of searches. Confined to one
   * thread.
   */
  final class Lookups {
    private int count;

    /** Adds lookups: one, or for a costly lookup the equivalent number. */
    public void add(int more) {
      count += more;
    }

    /** Number of lookups. */
    public int count() {
      return count;
    }
  }

  /**
   * Stretch of time that is covered from its start to its end, or free.
   *
   * @param first second of it; {@link Long#MIN_VALUE} if nothing precedes
   * @param end the first second after it; {@link Long#MAX_VALUE} if nothing follows
   * @param cause calendar and span that cover it; empty if it is free
   */
  record Stretch(long first, long end, Optional<Cause> cause) {
    /** Stretch of all time, not covered. */
    public static final Stretch FREE =
        new Stretch(Long.MIN_VALUE, Long.MAX_VALUE, Optional.empty());

    /** Whether something covers it. */
    public boolean isCovered() {
      return cause.isPresent();
    }

    /** Returns the overlap with another stretch, with the cause of this one. */
    public Stretch within(Stretch other) {
      return new Stretch(Math.max(first, other.first), Math.min(end, other.end), cause);
    }
  }

  /**
   * Cause for a covered stretch.
   *
   * @param calendar its name
   * @param span name of the span, if it has one
   */
  record Cause(String calendar, Optional<String> span) {}
}
