package carillon.json.action;

import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.job.action.ServiceBusCall.SharedAccessKey;
import carillon.job.action.ServiceBusCall.Transport;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Codec of Service Bus actions, by the names and sizes that Azure allows. */
final class ServiceBusCodec {
  private static final String CUSTOM = "customMessageProperties";
  private static final String KEY_TYPE = "sharedAccessKey";
  private static final Set<String> COMMON =
      Set.of(
          "namespace",
          "transportType",
          "authentication",
          "message",
          "brokeredMessageProperties",
          CUSTOM,
          PlaceholderRules.PLACEHOLDERS);
  private static final Set<String> AUTHENTICATION = Set.of("type", "sasKeyName", "sasKey");
  private static final Set<String> BROKERED =
      Stream.concat(
              Stream.of("forcePersistence", "scheduledEnqueueTimeUtc", "timeToLive"),
              Stream.of(TextProperty.values()).map(TextProperty::property))
          .collect(Collectors.toSet());

  private static final EnumNames<Transport> TRANSPORTS =
      EnumNames.of(Stream.of(Transport.values()), Transport::word);
  private static final EnumNames<String> KEY_TYPES =
      EnumNames.of(Stream.of(KEY_TYPE), type -> type);

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9]");
  private static final Pattern PATH =
      Pattern.compile("(?=.{1,260}$)[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*");
  private static final Pattern KEY_NAME = Pattern.compile("[!-~]{1,256}");
  private static final Pattern CONTENT_TYPE = Pattern.compile("[ -~]{1,256}");

  /** Properties that Service Bus indexes. */
  private static final Set<TextProperty> SHORT =
      EnumSet.of(
          TextProperty.MESSAGE_ID,
          TextProperty.PARTITION_KEY,
          TextProperty.REPLY_TO_SESSION_ID,
          TextProperty.SESSION_ID,
          TextProperty.VIA_PARTITION_KEY);

  private static final int MAX_SHORT_TEXT = 128;

  /** Value of .NET's TimeSpan.MaxValue, which clients of the service send for no limit. */
  private static final Duration MAX_TIME_TO_LIVE =
      Duration.ofDays(10_675_199).plusSeconds(10_085).plusNanos(477_580_700);

  /** Headers of the REST form, in which custom properties are headers too. */
  private static final Set<String> REST_HEADERS =
      Set.of("authorization", "brokerproperties", "content-type", "user-agent");

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final HeaderRules headerRules;

  ServiceBusCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.headerRules = new HeaderRules(limits);
  }

  ServiceBusCall readQueue(JsonFields fields) {
    return read(fields, Entity.QUEUE, "queueName");
  }

  ServiceBusCall readTopic(JsonFields fields) {
    return read(fields, Entity.TOPIC, "topicPath");
  }

  private ServiceBusCall read(JsonFields fields, Entity entity, String pathName) {
    fields.allowOnly(
        Stream.concat(COMMON.stream(), Stream.of(pathName)).collect(Collectors.toSet()), dialect);
    ServiceBusCall call =
        new ServiceBusCall(
            entity,
            fields.requiredText(
                pathName,
                PATH,
                "must be segments between slashes, 260 characters at most, each of letters, digits,"
                    + " '.', '_' and '-', a letter or digit first",
                dialect),
            fields.requiredText(
                "namespace",
                NAMESPACE,
                "must be 6 to 50 letters, digits and hyphens, a letter first; without a domain",
                dialect),
            fields.word("transportType", TRANSPORTS),
            key(fields.requiredObject("authentication")),
            fields.requiredText("message"),
            fields
                .object("brokeredMessageProperties", this::brokered)
                .orElse(BrokeredProperties.NONE),
            fields.object(CUSTOM, JsonFields::texts).orElse(Map.of()));
    if (dialect.isChecked()) {
      ServiceBusCall sample = (ServiceBusCall) PlaceholderRules.sample(fields, call);
      fields.checkBytes("message", sample.message(), limits.body());
      checkCustom(fields, sample);
    }
    return call;
  }

  private SharedAccessKey key(JsonFields fields) {
    fields.allowOnly(AUTHENTICATION, dialect);
    fields.requiredWord("type", KEY_TYPES, KEY_TYPE);
    return new SharedAccessKey(
        fields.requiredText(
            "sasKeyName", KEY_NAME, "must be 1 to 256 printable ASCII characters", dialect),
        fields.secretOrKept("sasKey"));
  }

  private BrokeredProperties brokered(JsonFields fields) {
    fields.allowOnly(BROKERED, dialect);
    Map<TextProperty, String> texts = new EnumMap<>(TextProperty.class);
    for (TextProperty text : TextProperty.values()) {
      fields.text(text.property()).ifPresent(value -> texts.put(text, value));
    }
    BrokeredProperties properties =
        new BrokeredProperties(
            texts,
            fields.truth("forcePersistence"),
            fields.instant("scheduledEnqueueTimeUtc"),
            fields.duration("timeToLive"));
    if (dialect.isChecked()) {
      check(fields, properties);
    }
    return properties;
  }

  private static void check(JsonFields fields, BrokeredProperties properties) {
    for (TextProperty text : SHORT) {
      properties
          .text(text)
          .ifPresent(value -> fields.checkLength(text.property(), value, MAX_SHORT_TEXT));
    }
    if (properties.text(TextProperty.CONTENT_TYPE).isPresent()) {
      fields.requiredText(
          "contentType", CONTENT_TYPE, "must be 1 to 256 printable ASCII characters");
    }
    if (properties.timeToLive().filter(span -> !isTimeToLive(span)).isPresent()) {
      fields.report(
          fields.refusal(
              "timeToLive",
              "must be at least a millisecond and at most " + MAX_TIME_TO_LIVE.toDays() + " days"));
    }
    Optional<String> session = properties.text(TextProperty.SESSION_ID);
    if (session.isPresent()
        && properties
            .text(TextProperty.PARTITION_KEY)
            .filter(k -> !k.equals(session.get()))
            .isPresent()) {
      fields.report(fields.refusal("partitionKey", "must equal sessionId where both are given"));
    }
  }

  private static boolean isTimeToLive(Duration span) {
    return span.compareTo(Duration.ofMillis(1)) >= 0 && span.compareTo(MAX_TIME_TO_LIVE) <= 0;
  }

  private void checkCustom(JsonFields fields, ServiceBusCall call) {
    String place = fields.place(CUSTOM);
    if (call.custom().containsKey("")) {
      fields.report(JobException.invalid(place + ": the name of a property must not be empty"));
    }
    if (!call.isRest()) {
      return;
    }
    headerRules.check(fields, CUSTOM, call.custom());
    for (String name : call.custom().keySet()) {
      if (REST_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
        fields.report(
            JsonFields.refuse(place, name, "is a header of its own in the netMessaging transport"));
      }
    }
  }

  /** Writes the properties of the message, in the service's order. */
  static void write(JsonGenerator json, ServiceBusCall call, Dialect dialect) throws IOException {
    json.writeStringField(call.entity() == Entity.QUEUE ? "queueName" : "topicPath", call.path());
    json.writeStringField("namespace", call.namespace());
    if (call.transport().isPresent()) {
      json.writeStringField("transportType", call.transport().get().word());
    }
    json.writeObjectFieldStart("authentication");
    JsonOut.writeSecret(json, "sasKey", call.key().key(), dialect);
    json.writeStringField("sasKeyName", call.key().name());
    json.writeStringField("type", KEY_TYPE);
    json.writeEndObject();
    json.writeStringField("message", call.message());
    if (!call.brokered().equals(BrokeredProperties.NONE)) {
      writeBrokered(json, call.brokered(), dialect);
    }
    if (!call.custom().isEmpty()) {
      JsonOut.writeTexts(json, CUSTOM, call.custom());
    }
  }

  private static void writeBrokered(
      JsonGenerator json, BrokeredProperties properties, Dialect dialect) throws IOException {
    json.writeObjectFieldStart("brokeredMessageProperties");
    writeTexts(
        json, properties, EnumSet.range(TextProperty.CONTENT_TYPE, TextProperty.CORRELATION_ID));
    if (properties.forcePersistence().isPresent()) {
      json.writeBooleanField("forcePersistence", properties.forcePersistence().get());
    }
    writeTexts(
        json, properties, EnumSet.range(TextProperty.LABEL, TextProperty.REPLY_TO_SESSION_ID));
    JsonOut.writeInstant(json, "scheduledEnqueueTimeUtc", properties.scheduledEnqueueTimeUtc());
    writeTexts(json, properties, EnumSet.of(TextProperty.SESSION_ID));
    if (properties.timeToLive().isPresent()) {
      JsonOut.writeDuration(json, "timeToLive", properties.timeToLive().get(), dialect);
    }
    writeTexts(json, properties, EnumSet.range(TextProperty.TO, TextProperty.VIA_PARTITION_KEY));
    json.writeEndObject();
  }

  private static void writeTexts(
      JsonGenerator json, BrokeredProperties properties, Set<TextProperty> texts)
      throws IOException {
    for (TextProperty text : texts) {
      if (properties.text(text).isPresent()) {
        json.writeStringField(text.property(), properties.text(text).get());
      }
    }
  }
}
