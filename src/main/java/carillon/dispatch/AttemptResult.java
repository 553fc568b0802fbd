package carillon.dispatch;

import java.time.Instant;

/**
 * How one attempt went. A failing target is a value, not an error of ours.
 *
 * @param succeeded 2xx
 * @param start when the call was begun
 * @param end when its outcome was known
 * @param message for the history
 */
record AttemptResult(boolean succeeded, Instant start, Instant end, String message) {

  /** The result of an HTTP request that another kind of action was made of. */
  AttemptResult of(String action) {
    return with(message.replaceFirst("^" + HttpMessage.ACTION, action));
  }

  /** The same result, told otherwise. */
  AttemptResult with(String otherMessage) {
    return new AttemptResult(succeeded, start, end, otherMessage);
  }
}
