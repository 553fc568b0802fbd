package carillon.dispatch;

import carillon.job.HistoryEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * Result of one attempt. A failing target is a value, not an error of ours.
 *
 * @param succeeded 2xx
 * @param start when the call was begun
 * @param end when its outcome was known
 * @param message for the history
 * @param notBefore the target asks not to be called again before this instant
 */
record AttemptResult(
    boolean succeeded, Instant start, Instant end, String message, Optional<Instant> notBefore) {

  /** Of a target that says nothing of when to come again. */
  AttemptResult(boolean succeeded, Instant start, Instant end, String message) {
    this(succeeded, start, end, message, Optional.empty());
  }

  /** What the history says of it. */
  HistoryEntry.Status status() {
    return succeeded ? HistoryEntry.Status.COMPLETED : HistoryEntry.Status.FAILED;
  }

  /** The result of an HTTP request that another kind of action was made of. */
  AttemptResult of(String action) {
    return with(message.replaceFirst("^" + HistoryMessage.ACTION, action));
  }

  /** The same result, told otherwise. */
  AttemptResult with(String otherMessage) {
    return new AttemptResult(succeeded, start, end, otherMessage, notBefore);
  }
}
