package carillon.json;

import carillon.job.ActionCall;
import carillon.job.BrokeredProperties;
import carillon.job.BrokeredProperties.Text;
import carillon.job.RedisListCall;
import carillon.job.RedisStreamCall;
import carillon.job.ServiceBusCall;
import carillon.job.ServiceBusCall.Entity;
import carillon.job.StorageQueueCall;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Writes what a queue action does, in the service's order of properties. Secrets are stored, and
 * never answered.
 */
final class QueueWriter {
  private final JsonGenerator json;
  private final Dialect dialect;

  private QueueWriter(JsonGenerator json, Dialect dialect) {
    this.json = json;
    this.dialect = dialect;
  }

  /** Writes the payload into the action at hand; returns the kind of action. */
  static ActionType write(JsonGenerator json, ActionCall call, Dialect dialect) throws IOException {
    QueueWriter writer = new QueueWriter(json, dialect);
    ActionType type = type(call);
    json.writeObjectFieldStart(type.payload());
    if (call instanceof StorageQueueCall storage) {
      writer.writeStorage(storage);
    } else if (call instanceof ServiceBusCall bus) {
      writer.writeBus(bus);
    } else if (call instanceof RedisStreamCall stream) {
      writer.writeStream(stream);
    } else {
      writer.writeList((RedisListCall) call);
    }
    json.writeEndObject();
    return type;
  }

  private static ActionType type(ActionCall call) {
    if (call instanceof StorageQueueCall) {
      return ActionType.STORAGE_QUEUE;
    }
    if (call instanceof ServiceBusCall bus) {
      return bus.entity() == Entity.QUEUE
          ? ActionType.SERVICE_BUS_QUEUE
          : ActionType.SERVICE_BUS_TOPIC;
    }
    return call instanceof RedisStreamCall ? ActionType.REDIS_STREAM : ActionType.REDIS_LIST;
  }

  private void writeStorage(StorageQueueCall call) throws IOException {
    json.writeStringField("storageAccount", call.storageAccount());
    json.writeStringField("queueName", call.queueName());
    json.writeStringField("message", call.message());
    DefinitionWriter.writeSecret(json, "sasToken", call.sasToken(), dialect);
  }

  private void writeBus(ServiceBusCall call) throws IOException {
    json.writeStringField(call.entity() == Entity.QUEUE ? "queueName" : "topicPath", call.path());
    json.writeStringField("namespace", call.namespace());
    if (call.transport().isPresent()) {
      json.writeStringField("transportType", call.transport().get().word());
    }
    json.writeObjectFieldStart("authentication");
    DefinitionWriter.writeSecret(json, "sasKey", call.key().key(), dialect);
    json.writeStringField("sasKeyName", call.key().name());
    json.writeStringField("type", "sharedAccessKey");
    json.writeEndObject();
    json.writeStringField("message", call.message());
    if (!call.brokered().equals(BrokeredProperties.NONE)) {
      writeBrokered(call.brokered());
    }
    if (!call.custom().isEmpty()) {
      DefinitionWriter.writeTexts(json, "customMessageProperties", call.custom());
    }
  }

  private void writeBrokered(BrokeredProperties properties) throws IOException {
    json.writeObjectFieldStart("brokeredMessageProperties");
    writeTexts(properties, EnumSet.range(Text.CONTENT_TYPE, Text.CORRELATION_ID));
    if (properties.forcePersistence().isPresent()) {
      json.writeBooleanField("forcePersistence", properties.forcePersistence().get());
    }
    writeTexts(properties, EnumSet.range(Text.LABEL, Text.REPLY_TO_SESSION_ID));
    DefinitionWriter.writeInstant(
        json, "scheduledEnqueueTimeUtc", properties.scheduledEnqueueTimeUtc());
    writeTexts(properties, EnumSet.of(Text.SESSION_ID));
    if (properties.timeToLive().isPresent()) {
      boolean isTimeSpan = dialect == Dialect.ARM;
      json.writeStringField(
          "timeToLive",
          isTimeSpan
              ? DurationFormats.timeSpan(properties.timeToLive().get())
              : properties.timeToLive().get().toString());
    }
    writeTexts(properties, EnumSet.range(Text.TO, Text.VIA_PARTITION_KEY));
    json.writeEndObject();
  }

  private void writeTexts(BrokeredProperties properties, Set<Text> texts) throws IOException {
    for (Text text : texts) {
      if (properties.text(text).isPresent()) {
        json.writeStringField(text.property(), properties.text(text).get());
      }
    }
  }

  private void writeStream(RedisStreamCall call) throws IOException {
    json.writeStringField("stream", call.stream());
    json.writeStringField("message", call.message());
    if (!call.fields().isEmpty()) {
      DefinitionWriter.writeTexts(json, "fields", call.fields());
    }
    writeMaxLength(call.maxLength());
  }

  private void writeList(RedisListCall call) throws IOException {
    json.writeStringField("list", call.list());
    json.writeStringField("message", call.message());
    json.writeStringField("side", call.side().word());
    writeMaxLength(call.maxLength());
  }

  private void writeMaxLength(int maxLength) throws IOException {
    if (maxLength != RedisStreamCall.UNSPECIFIED) {
      json.writeNumberField("maxLength", maxLength);
    }
  }
}
