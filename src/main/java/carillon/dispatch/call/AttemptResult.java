package carillon.dispatch.call;

import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.CallDetail;
import carillon.job.attempt.HistoryEntry.CallError;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Result of one attempt. A failing target is a value, not an error of ours.
 *
 * @param succeeded of an HTTP call, whether its status is a success
 * @param start start of the call
 * @param end instant at which the outcome was known
 * @param message for the history
 * @param advice advice of the target about a retry
 * @param call content of the message, for machines
 */
public record AttemptResult(
    boolean succeeded,
    Instant start,
    Instant end,
    String message,
    RetryAdvice advice,
    CallDetail call) {

  /** Statuses of overload: Request Timeout, Too Many Requests. */
  private static final Set<Integer> OVERLOAD_STATUSES = Set.of(408, 429);

  /** Result without details of a call, whose target says nothing about a retry. */
  public AttemptResult(boolean succeeded, Instant start, Instant end, String message) {
    this(succeeded, start, end, message, CallDetail.NONE);
  }

  /** Result of a call whose target says nothing about a retry. */
  AttemptResult(boolean succeeded, Instant start, Instant end, String message, CallDetail call) {
    this(succeeded, start, end, message, RetryAdvice.NONE, call);
  }

  /** The status in the history. */
  public HistoryEntry.Status status() {
    return succeeded ? HistoryEntry.Status.COMPLETED : HistoryEntry.Status.FAILED;
  }

  /**
   * Whether the destination, or the way to it, failed; see {@link
   * carillon.flow.CallOutcome#failed}.
   */
  public boolean isDestinationFailure() {
    OptionalInt status = advice.status();
    return status.isEmpty()
        ? !succeeded
        : status.getAsInt() >= 500 || OVERLOAD_STATUSES.contains(status.getAsInt());
  }

  /**
   * Returns this result of an HTTP request, with the name of another kind of action in its message.
   */
  public AttemptResult of(String action) {
    return with(message.replaceFirst("^" + HistoryMessage.ACTION, action));
  }

  /** Returns a copy with another message. */
  public AttemptResult with(String otherMessage) {
    return new AttemptResult(succeeded, start, end, otherMessage, advice, call);
  }

  /** Returns a copy with the call details of an unanswered call. */
  public AttemptResult with(CallError error) {
    return new AttemptResult(succeeded, start, end, message, advice, CallDetail.of(error));
  }
}
