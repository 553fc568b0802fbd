package carillon.store.operation;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Counts of the attempts at one destination over a period.
 *
 * @param completed number of completed attempts
 * @param failed number of failed attempts
 * @param inFlight number of attempts in flight at the time of the record
 * @param durations number of ended attempts by duration: one count for each of {@link #BOUNDS}, and
 *     one beyond the last
 */
public record DestinationCounts(long completed, long failed, long inFlight, List<Long> durations) {
  /** Name for all destinations that a node does not distinguish, because there are too many. */
  public static final String OTHERS = "other";

  /** Bounds of durations in seconds, rising. */
  public static final List<Double> BOUNDS =
      List.of(
          0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0,
          300.0);

  public static final DestinationCounts NONE =
      new DestinationCounts(0, 0, 0, Collections.nCopies(BOUNDS.size() + 1, 0L));

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,18} ){3}\\d{1,18}(,\\d{1,18}){" + BOUNDS.size() + "}");

  public DestinationCounts {
    durations = List.copyOf(durations);
  }

  /** Returns the index of a duration in {@link #durations}. */
  public static int slot(double seconds) {
    int slot = 0;
    while (slot < BOUNDS.size() && seconds > BOUNDS.get(slot)) {
      slot++;
    }
    return slot;
  }

  /** Parses a stored text. The form of another version counts as no attempts. */
  static DestinationCounts read(String text) {
    if (!FORM.matcher(text).matches()) {
      return NONE;
    }
    String[] parts = text.split(" ", -1);
    return new DestinationCounts(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Histogram.read(parts[3]));
  }

  String text() {
    return completed + " " + failed + " " + inFlight + " " + Histogram.text(durations);
  }

  /** Returns how many attempts ended. */
  public long ended() {
    return completed + failed;
  }

  /** Returns how many attempts took longer than this many seconds, one of {@link #BOUNDS}. */
  public long longerThan(double bound) {
    return Histogram.beyond(bound, BOUNDS, durations);
  }

  /** Returns the sums of these counts and others. */
  public DestinationCounts plus(DestinationCounts other) {
    return new DestinationCounts(
        completed + other.completed,
        failed + other.failed,
        inFlight + other.inFlight,
        Histogram.sum(durations, other.durations, 1));
  }

  /**
   * Returns a quantile of the durations in seconds, rounded up to a bound. It is the last bound for
   * greater values, and empty if no attempt ended.
   *
   * @param part fraction of all attempts, up to 1
   */
  public OptionalDouble durationOf(double part) {
    return Histogram.quantile(part, BOUNDS, durations);
  }
}
