package carillon.dispatch.servicebus;

import org.apache.qpid.proton.amqp.transport.ErrorCondition;

/** Refusal by a broker. The message is fit for a history. */
public final class BrokerException extends RuntimeException {
  private static final int MAX_LENGTH = 1024;

  private BrokerException(String message) {
    super(message, null, false, false);
  }

  /**
   * Returns an exception in the broker's own words: {@code 'amqp:not-found' the queue does not
   * exist}.
   */
  static BrokerException of(ErrorCondition condition) {
    if (condition == null || condition.getCondition() == null) {
      return new BrokerException("'amqp:link:detach-forced'");
    }
    return of(condition.getCondition().toString(), condition.getDescription());
  }

  static BrokerException of(String condition, String description) {
    String text = "'" + condition + "'" + (description == null ? "" : " " + description);
    return new BrokerException(text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) : text);
  }
}
