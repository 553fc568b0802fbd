package carillon.json;

import carillon.job.Action;
import carillon.job.ActionCall;
import carillon.job.JobException;
import carillon.job.RetryPolicy;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what a job does, and what it does when that fails. */
final class ActionReader {
  private static final Set<String> PAYLOADS =
      Stream.of(ActionType.values()).map(ActionType::payload).collect(Collectors.toSet());
  private static final Set<String> KNOWN =
      Stream.concat(Stream.of("type", "retryPolicy", "errorAction"), PAYLOADS.stream())
          .collect(Collectors.toSet());

  private final Dialect dialect;
  private final CallReader calls;
  private final StorageQueueReader storageQueues;
  private final ServiceBusReader serviceBuses;
  private final RedisQueueReader redisQueues;
  private final RetryPolicyReader retryPolicies;

  ActionReader(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.calls = new CallReader(dialect, limits);
    this.storageQueues = new StorageQueueReader(dialect, limits);
    this.serviceBuses = new ServiceBusReader(dialect, limits);
    this.redisQueues = new RedisQueueReader(dialect, limits);
    this.retryPolicies = new RetryPolicyReader(dialect, limits);
  }

  /** The main action alone. */
  Action read(JsonFields fields) {
    fields.allowOnly(KNOWN, dialect);
    ActionType type = fields.requiredWord("type", ActionType.WORDS);
    refusePayloadsOfOthers(fields, type);
    return new Action(
        readCall(fields.requiredObject(type.payload()), type),
        fields.object("retryPolicy").map(retryPolicies::read).orElse(RetryPolicy.UNSPECIFIED));
  }

  private static void refusePayloadsOfOthers(JsonFields fields, ActionType type) {
    for (String payload : PAYLOADS) {
      if (fields.has(payload) && !payload.equals(type.payload())) {
        throw JobException.invalid(
            fields.place(payload)
                + ": does not go with type "
                + type.word(Dialect.NATIVE)
                + ", which needs "
                + type.payload());
      }
    }
  }

  private ActionCall readCall(JsonFields fields, ActionType type) {
    return switch (type) {
      case HTTP, HTTPS -> calls.read(fields, type == ActionType.HTTPS);
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
}
