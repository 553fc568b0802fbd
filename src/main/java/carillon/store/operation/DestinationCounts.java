package carillon.store.operation;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Counts of the attempts at one destination over a period.
 *
 * @param completed attempts that ended
 * @param failed attempts that ended
 * @param inFlight attempts under way when this was noted
 * @param durations how many of those that ended took no longer than each of {@link #BOUNDS}, and
 *     how many longer than the last of them
 */
public record DestinationCounts(long completed, long failed, long inFlight, List<Long> durations) {
  /** Name of the destinations that a node does not tell apart, as they are too many. */
  public static final String OTHERS = "other";

  /** Seconds, rising. */
  public static final List<Double> BOUNDS =
      List.of(
          0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0,
          300.0);

  /** Nothing was called. */
  public static final DestinationCounts NONE =
      new DestinationCounts(0, 0, 0, Collections.nCopies(BOUNDS.size() + 1, 0L));

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,18} ){3}\\d{1,18}(,\\d{1,18}){" + BOUNDS.size() + "}");

  public DestinationCounts {
    durations = List.copyOf(durations);
  }

  /** Place of a duration among {@link #durations}. */
  public static int slot(double seconds) {
    int slot = 0;
    while (slot < BOUNDS.size() && seconds > BOUNDS.get(slot)) {
      slot++;
    }
    return slot;
  }

  /** Reads a stored text; nothing for the form of another version. */
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

  /** How many attempts ended. */
  public long ended() {
    return completed + failed;
  }

  /** How many took longer than this many seconds, one of {@link #BOUNDS}. */
  public long longerThan(double bound) {
    return Histogram.beyond(bound, BOUNDS, durations);
  }

  /** The sums of these counts and others. */
  public DestinationCounts plus(DestinationCounts other) {
    return new DestinationCounts(
        completed + other.completed,
        failed + other.failed,
        inFlight + other.inFlight,
        Histogram.sum(durations, other.durations, 1));
  }

  /**
   * The duration, in seconds, that this part of all attempts did not exceed: the bound next above
   * it, or the last one. Empty when none ended.
   *
   * @param part of one
   */
  public OptionalDouble durationOf(double part) {
    return Histogram.quantile(part, BOUNDS, durations);
  }
}
