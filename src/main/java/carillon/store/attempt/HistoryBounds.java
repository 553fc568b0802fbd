package carillon.store.attempt;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * How much history a job keeps.
 *
 * @param entries most entries
 * @param age oldest entry
 * @param bytes most bytes
 */
public record HistoryBounds(int entries, Duration age, int bytes) {
  private static final int MILLIS_WIDTH = 24;

  /**
   * The three script arguments: entries, bytes, and the instant before which an entry is dropped,
   * as text of fixed width.
   */
  public List<String> arguments(Instant now) {
    return List.of(Integer.toString(entries), Integer.toString(bytes), oldest(now));
  }

  /**
   * The text with which the {@code end} of the oldest entry worth keeping begins: ISO with exactly
   * three digits.
   */
  String oldest(Instant now) {
    // An instant with one nanosecond prints all nine digits; the first three of them are what is
    // wanted.
    String nine = now.minus(age).truncatedTo(ChronoUnit.MILLIS).plusNanos(1).toString();
    return nine.substring(0, MILLIS_WIDTH - 1) + "Z";
  }
}
