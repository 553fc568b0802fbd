package carillon.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The properties of a Service Bus message that the broker itself reads.
 *
 * @param texts those that are plain text
 * @param forcePersistence whether the broker is to write the message to disk at once
 * @param scheduledEnqueueTimeUtc before which nobody receives the message
 * @param timeToLive after which the broker drops the message, positive
 */
public record BrokeredProperties(
    Map<Text, String> texts,
    Optional<Boolean> forcePersistence,
    Optional<Instant> scheduledEnqueueTimeUtc,
    Optional<Duration> timeToLive) {
  public static final BrokeredProperties NONE =
      new BrokeredProperties(Map.of(), Optional.empty(), Optional.empty(), Optional.empty());

  public BrokeredProperties {
    texts = Map.copyOf(texts);
  }

  /** A property that is plain text, in the service's order. */
  public enum Text {
    CONTENT_TYPE("contentType"),
    CORRELATION_ID("correlationId"),
    LABEL("label"),
    MESSAGE_ID("messageId"),
    PARTITION_KEY("partitionKey"),
    REPLY_TO("replyTo"),
    REPLY_TO_SESSION_ID("replyToSessionId"),
    SESSION_ID("sessionId"),
    TO("to"),
    VIA_PARTITION_KEY("viaPartitionKey");

    private final String property;

    Text(String property) {
      this.property = property;
    }

    /** Its name in a job's document. */
    public String property() {
      return property;
    }
  }

  public Optional<String> text(Text text) {
    return Optional.ofNullable(texts.get(text));
  }
}
