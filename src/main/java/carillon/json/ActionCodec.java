package carillon.json;

import carillon.job.Action;
import carillon.job.ActionCall;
import carillon.job.HttpCall;
import carillon.job.JobException;
import carillon.job.RedisListCall;
import carillon.job.RedisStreamCall;
import carillon.job.RetryPolicy;
import carillon.job.ServiceBusCall;
import carillon.job.StorageQueueCall;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Codec of actions: the main action of a job and the error action that follows its failure. */
final class ActionCodec {
  /** The kinds of action, and the property that tells each what to do. */
  private enum Type {
    HTTP("http", "request"),
    HTTPS("https", "request"),
    STORAGE_QUEUE("storageQueue", "queueMessage"),
    SERVICE_BUS_QUEUE("serviceBusQueue", "serviceBusQueueMessage"),
    SERVICE_BUS_TOPIC("serviceBusTopic", "serviceBusTopicMessage"),
    REDIS_STREAM("redisStream", "redisStream"),
    REDIS_LIST("redisList", "redisList");

    private static final EnumNames<Type> WORDS =
        EnumNames.of(Stream.of(values()), type -> type.word);

    private final String word;
    private final String payload;

    Type(String word, String payload) {
      this.word = word;
      this.payload = payload;
    }

    String word(Dialect dialect) {
      return dialect == Dialect.ARM ? EnumNames.capitalized(word) : word;
    }

    static Type of(ActionCall call) {
      if (call instanceof HttpCall http) {
        return http.secureType() ? HTTPS : HTTP;
      }
      if (call instanceof StorageQueueCall) {
        return STORAGE_QUEUE;
      }
      if (call instanceof ServiceBusCall bus) {
        return bus.entity() == ServiceBusCall.Entity.QUEUE ? SERVICE_BUS_QUEUE : SERVICE_BUS_TOPIC;
      }
      return call instanceof RedisStreamCall ? REDIS_STREAM : REDIS_LIST;
    }
  }

  private static final Set<String> PAYLOADS =
      Stream.of(Type.values()).map(type -> type.payload).collect(Collectors.toSet());
  private static final Set<String> KNOWN =
      Stream.concat(Stream.of("type", "retryPolicy", "errorAction"), PAYLOADS.stream())
          .collect(Collectors.toSet());

  private final Dialect dialect;
  private final HttpCallCodec calls;
  private final StorageQueueCodec storageQueues;
  private final ServiceBusCodec serviceBuses;
  private final RedisQueueCodec redisQueues;
  private final RetryPolicyCodec retryPolicies;

  ActionCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.calls = new HttpCallCodec(dialect, limits);
    this.storageQueues = new StorageQueueCodec(dialect, limits);
    this.serviceBuses = new ServiceBusCodec(dialect, limits);
    this.redisQueues = new RedisQueueCodec(dialect, limits);
    this.retryPolicies = new RetryPolicyCodec(dialect, limits);
  }

  /** The main action alone. */
  Action read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    Type type = fields.requiredWord("type", Type.WORDS);
    refusePayloadsOfOthers(fields, type);
    return new Action(
        readCall(fields.requiredObject(type.payload), type),
        fields.object("retryPolicy").map(retryPolicies::read).orElse(RetryPolicy.UNSPECIFIED));
  }

  private static void refusePayloadsOfOthers(JsonFields fields, Type type) {
    for (String payload : PAYLOADS) {
      if (fields.has(payload) && !payload.equals(type.payload)) {
        throw JobException.invalid(
            fields.place(payload)
                + ": must not be given with type '"
                + type.word(Dialect.NATIVE)
                + "', whose settings are in "
                + type.payload);
      }
    }
  }

  private ActionCall readCall(JsonFields fields, Type type) {
    return switch (type) {
      case HTTP, HTTPS -> calls.read(fields, type == Type.HTTPS);
      case STORAGE_QUEUE -> storageQueues.read(fields);
      case SERVICE_BUS_QUEUE -> serviceBuses.readQueue(fields);
      case SERVICE_BUS_TOPIC -> serviceBuses.readTopic(fields);
      case REDIS_STREAM -> redisQueues.readStream(fields);
      case REDIS_LIST -> redisQueues.readList(fields);
    };
  }

  /** What follows when every attempt of the main action has failed. */
  Optional<Action> readErrorAction(JsonFields action) {
    Optional<JsonFields> errorAction = action.object("errorAction");
    if (errorAction.filter(fields -> fields.has("errorAction")).isPresent()) {
      throw JobException.invalid("action.errorAction.errorAction: an error action has none itself");
    }
    return errorAction.map(this::read);
  }

  /** Writes the action's properties into the object at hand, in the service's order. */
  static void write(JsonGenerator json, Action action, Dialect dialect) throws IOException {
    Type type = Type.of(action.call());
    json.writeFieldName(type.payload);
    writeCall(json, action.call(), dialect);
    json.writeStringField("type", type.word(dialect));
    if (action.retryPolicy() != RetryPolicy.UNSPECIFIED) {
      json.writeFieldName("retryPolicy");
      RetryPolicyCodec.write(json, action.retryPolicy(), dialect);
    }
  }

  private static void writeCall(JsonGenerator json, ActionCall call, Dialect dialect)
      throws IOException {
    if (call instanceof HttpCall http) {
      HttpCallCodec.write(json, http, dialect);
    } else if (call instanceof StorageQueueCall storage) {
      StorageQueueCodec.write(json, storage, dialect);
    } else if (call instanceof ServiceBusCall bus) {
      ServiceBusCodec.write(json, bus, dialect);
    } else if (call instanceof RedisStreamCall stream) {
      RedisQueueCodec.write(json, stream);
    } else {
      RedisQueueCodec.write(json, (RedisListCall) call);
    }
  }
}
