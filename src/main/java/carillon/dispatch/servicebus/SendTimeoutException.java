package carillon.dispatch.servicebus;

import java.time.Duration;

/** A message that was not accepted for lack of time or room. The message is fit for a history. */
public final class SendTimeoutException extends RuntimeException {
  /** The time is over. */
  SendTimeoutException(Duration timeout) {
    super("no acknowledgement within " + timeout.toMillis() + " ms", null, false, false);
  }

  /** Every connection is in use. */
  SendTimeoutException(int connections) {
    super("all " + connections + " connections to brokers are in use", null, false, false);
  }
}
