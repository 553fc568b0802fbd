package carillon.job.action;

import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import carillon.job.action.TextMapping.TextForm;
import carillon.job.name.WireWord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Message to a queue or topic of an Azure Service Bus namespace, or of another AMQP 1.0 broker.
 *
 * @param entity kind of the entity that {@code path} names
 * @param path of the queue or topic
 * @param namespace name, without a domain
 * @param transport as the client asked for, if it did
 * @param key with the right to send
 * @param message the body
 * @param brokered properties that the broker itself reads
 * @param custom application properties, in the client's order and case
 */
public record ServiceBusCall(
    Entity entity,
    String path,
    String namespace,
    Optional<Transport> transport,
    SharedAccessKey key,
    String message,
    BrokeredProperties brokered,
    Map<String, String> custom)
    implements ActionCall {
  private static final int HTTPS = 443;
  private static final int AMQPS = 5671;

  public ServiceBusCall {
    custom = Collections.unmodifiableMap(new LinkedHashMap<>(custom));
  }

  /** Kind of entity that receives messages. */
  public enum Entity {
    QUEUE,
    TOPIC
  }

  /** Transport of messages. */
  public enum Transport implements WireWord {
    /** Left to the scheduler, which chooses AMQP. */
    NOT_SPECIFIED,
    /** HTTPS, the REST form. */
    NET_MESSAGING,
    AMQP
  }

  /**
   * A shared access policy and its key.
   *
   * @param name of the policy
   * @param key as the portal shows it
   */
  public record SharedAccessKey(String name, Secret key) {}

  /** Whether the message uses HTTPS rather than AMQP. */
  public boolean isRest() {
    return transport.filter(Transport.NET_MESSAGING::equals).isPresent();
  }

  @Override
  public Kind kind() {
    return Kind.SERVICE_BUS;
  }

  @Override
  public ServiceBusCall mapSecrets(Secret.Mapping mapping) {
    String payload = entity == Entity.QUEUE ? "serviceBusQueueMessage" : "serviceBusTopicMessage";
    SharedAccessKey mapped =
        new SharedAccessKey(
            key.name(), mapping.apply(payload + ".authentication.sasKey", key.key()));
    return new ServiceBusCall(
        entity, path, namespace, transport, mapped, message, brokered, custom);
  }

  /** The form of the message follows from its {@code contentType}. */
  @Override
  public ServiceBusCall mapTexts(TextMapping mapping) {
    TextForm form =
        brokered.text(TextProperty.CONTENT_TYPE).map(TextForm::ofMediaType).orElse(TextForm.PLAIN);
    Map<String, String> others = new LinkedHashMap<>(custom);
    others.replaceAll(
        (name, value) -> mapping.apply("customMessageProperties." + name, value, TextForm.PLAIN));
    return new ServiceBusCall(
        entity,
        path,
        namespace,
        transport,
        key,
        mapping.apply("message", message, form),
        brokered.mapTexts(mapping),
        others);
  }

  @Override
  public Destination destination() {
    return new Destination(namespace + ".servicebus.windows.net", isRest() ? HTTPS : AMQPS);
  }

  /** A stored key is kept only for the same namespace and the same kind of action. */
  @Override
  public Object secretOwner() {
    return List.of(entity, namespace, key.name());
  }

  /** Names the destination only: message and properties may hold secrets. */
  @Override
  public String toString() {
    return "ServiceBusCall[" + namespace + "/" + path + "]";
  }

  /**
   * The properties of a Service Bus message that the broker itself reads.
   *
   * @param texts properties with plain text
   * @param forcePersistence whether the broker must write the message to disk immediately
   * @param scheduledEnqueueTimeUtc earliest delivery of the message
   * @param timeToLive time after which the broker drops the message, positive
   */
  public record BrokeredProperties(
      Map<TextProperty, String> texts,
      Optional<Boolean> forcePersistence,
      Optional<Instant> scheduledEnqueueTimeUtc,
      Optional<Duration> timeToLive) {
    public static final BrokeredProperties NONE =
        new BrokeredProperties(Map.of(), Optional.empty(), Optional.empty(), Optional.empty());

    public BrokeredProperties {
      texts = Map.copyOf(texts);
    }

    /** A property that is plain text, in the service's order. */
    public enum TextProperty {
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

      TextProperty(String property) {
        this.property = property;
      }

      /** Its name in a job's document. */
      public String property() {
        return property;
      }
    }

    private BrokeredProperties mapTexts(TextMapping mapping) {
      if (texts.isEmpty()) {
        return this;
      }
      Map<TextProperty, String> others = new EnumMap<>(texts);
      others.replaceAll(
          (text, value) ->
              mapping.apply("brokeredMessageProperties." + text.property(), value, TextForm.PLAIN));
      return new BrokeredProperties(others, forcePersistence, scheduledEnqueueTimeUtc, timeToLive);
    }

    public Optional<String> text(TextProperty text) {
      return Optional.ofNullable(texts.get(text));
    }
  }
}
