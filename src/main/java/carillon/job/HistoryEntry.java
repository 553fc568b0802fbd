package carillon.job;

import java.time.Instant;
import java.util.Locale;

/**
 * The record of one attempt, or of occurrences that were not performed.
 *
 * @param start when the attempt began
 * @param end when its outcome was known
 * @param dueAt when the occurrence was due
 * @param status how it went
 * @param phase which action
 * @param occurrence number of the occurrence, 0 for a run outside the schedule
 * @param retry 0 for a first attempt, n for the n-th retry
 * @param execution id that the target saw; empty where nothing was sent
 * @param message what the target answered or why nothing was sent
 */
public record HistoryEntry(
    Instant start,
    Instant end,
    Instant dueAt,
    Status status,
    Attempt.Phase phase,
    int occurrence,
    int retry,
    String execution,
    String message) {

  /** How an attempt went. */
  public enum Status {
    COMPLETED,
    FAILED,
    /** Not performed, and the message says why. */
    SKIPPED;

    /** The lower-case word, as stored and as answered. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
