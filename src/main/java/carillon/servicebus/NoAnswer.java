package carillon.servicebus;

import java.time.Duration;

/** A message that was not accepted for lack of time or room. The message is fit for a history. */
public final class NoAnswer extends RuntimeException {
  /** The time is over. */
  NoAnswer(Duration timeout) {
    super("no acknowledgement within " + timeout.toMillis() + " ms", null, false, false);
  }

  /** Every connection is in use. */
  NoAnswer(int connections) {
    super("all " + connections + " connections to brokers are in use", null, false, false);
  }
}
