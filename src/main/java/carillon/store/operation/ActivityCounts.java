package carillon.store.operation;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Counts over a period: ended attempts, and the lateness of occurrences.
 *
 * @param completed number of completed attempts
 * @param failed number of failed attempts
 * @param lateness number of begun occurrences by lateness: one count for each of {@link #BOUNDS},
 *     and one beyond the last
 */
public record ActivityCounts(long completed, long failed, List<Long> lateness) {
  /** Bounds of lateness in seconds, rising. Lateness should be zero, but can be hours. */
  public static final List<Double> BOUNDS =
      List.of(
          0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 60.0, 300.0,
          3600.0);

  public static final ActivityCounts NONE =
      new ActivityCounts(0, 0, Collections.nCopies(BOUNDS.size() + 1, 0L));

  private static final Pattern FORM =
      Pattern.compile("\\d{1,18} \\d{1,18} \\d{1,18}(,\\d{1,18}){" + BOUNDS.size() + "}");

  public ActivityCounts {
    lateness = List.copyOf(lateness);
  }

  /** Parses a stored text. The form of another version counts as no activity. */
  static ActivityCounts read(String text) {
    if (!FORM.matcher(text).matches()) {
      return NONE;
    }
    String[] parts = text.split(" ", -1);
    return new ActivityCounts(
        Long.parseLong(parts[0]), Long.parseLong(parts[1]), Histogram.read(parts[2]));
  }

  String text() {
    return completed + " " + failed + " " + Histogram.text(lateness);
  }

  /** Returns how many occurrences were begun. */
  public long begun() {
    return Histogram.total(lateness);
  }

  /**
   * Returns how many occurrences were begun later than this many seconds, one of {@link #BOUNDS}.
   */
  public long laterThan(double bound) {
    return Histogram.beyond(bound, BOUNDS, lateness);
  }

  public ActivityCounts plus(ActivityCounts other) {
    return combined(other, 1);
  }

  /** Returns the difference to earlier counts. */
  public ActivityCounts minus(ActivityCounts earlier) {
    return combined(earlier, -1);
  }

  private ActivityCounts combined(ActivityCounts other, int sign) {
    return new ActivityCounts(
        completed + sign * other.completed,
        failed + sign * other.failed,
        Histogram.sum(lateness, other.lateness, sign));
  }

  /**
   * Returns a quantile of the lateness in seconds, rounded up to a bound. It is the last bound for
   * greater values, and empty if no occurrence was begun.
   *
   * @param part fraction of all occurrences, up to 1
   */
  public OptionalDouble latenessOf(double part) {
    return Histogram.quantile(part, BOUNDS, lateness);
  }
}
