package carillon.dispatch.servicebus;

import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.message.Message;

/**
 * A message as AMQP has it: the text is the body, brokered properties go where the protocol guide
 * of Service Bus says, custom properties are application properties.
 */
public final class AmqpMessage {
  /** Maximum time to live in the header: an unsigned int of milliseconds. */
  private static final long MAX_TTL = 0xFFFF_FFFFL;

  private AmqpMessage() {}

  /**
   * Returns the message of a call.
   *
   * @param id for a call without a message id; the same in every attempt, so that a broker with
   *     duplicate detection drops repeats
   */
  public static Message of(ServiceBusCall call, String id, Instant now) {
    BrokeredProperties brokered = call.brokered();
    Message message = Proton.message();
    message.setDurable(brokered.forcePersistence().orElse(true));
    message.setMessageId(brokered.text(TextProperty.MESSAGE_ID).orElse(id));
    brokered.text(TextProperty.CONTENT_TYPE).ifPresent(message::setContentType);
    brokered.text(TextProperty.CORRELATION_ID).ifPresent(message::setCorrelationId);
    brokered.text(TextProperty.LABEL).ifPresent(message::setSubject);
    brokered.text(TextProperty.REPLY_TO).ifPresent(message::setReplyTo);
    brokered.text(TextProperty.REPLY_TO_SESSION_ID).ifPresent(message::setReplyToGroupId);
    brokered.text(TextProperty.SESSION_ID).ifPresent(message::setGroupId);
    brokered.text(TextProperty.TO).ifPresent(message::setAddress);
    brokered.timeToLive().ifPresent(span -> setTimeToLive(message, span, now));
    message.setMessageAnnotations(new MessageAnnotations(annotations(brokered)));
    if (!call.custom().isEmpty()) {
      Map<String, Object> custom = new LinkedHashMap<>(call.custom());
      message.setApplicationProperties(new ApplicationProperties(custom));
    }
    message.setBody(new Data(new Binary(call.message().getBytes(StandardCharsets.UTF_8))));
    return message;
  }

  private static void setTimeToLive(Message message, Duration span, Instant now) {
    message.setTtl(Math.min(MAX_TTL, span.toMillis()));
    if (span.toMillis() > MAX_TTL) {
      message.setCreationTime(now.toEpochMilli());
      message.setExpiryTime(now.plus(span).toEpochMilli());
    }
  }

  private static Map<Symbol, Object> annotations(BrokeredProperties brokered) {
    Map<Symbol, Object> annotations = new HashMap<>();
    annotate(annotations, "x-opt-partition-key", brokered, TextProperty.PARTITION_KEY);
    annotate(annotations, "x-opt-via-partition-key", brokered, TextProperty.VIA_PARTITION_KEY);
    brokered
        .scheduledEnqueueTimeUtc()
        .ifPresent(
            time -> {
              annotations.put(Symbol.valueOf("x-opt-scheduled-enqueue-time"), Date.from(time));
              // The same instant under the name that other brokers read.
              annotations.put(Symbol.valueOf("x-opt-delivery-time"), time.toEpochMilli());
            });
    return annotations;
  }

  private static void annotate(
      Map<Symbol, Object> annotations,
      String name,
      BrokeredProperties brokered,
      TextProperty text) {
    brokered.text(text).ifPresent(value -> annotations.put(Symbol.valueOf(name), value));
  }
}
