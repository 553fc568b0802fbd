package carillon.json.action;

import static carillon.json.text.Dialect.Switch.CAPITAL_TYPES;

import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.RedisListCall;
import carillon.job.action.RedisStreamCall;
import carillon.job.action.RetryPolicy;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.StatusSet;
import carillon.job.action.StorageQueueCall;
import carillon.job.name.JobException;
import carillon.job.name.NameRules;
import carillon.json.text.Dialect;
import carillon.json.text.EnumNames;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Codec of actions: the main action of a job, and the error action that runs after its failure. */
public final class ActionCodec {
  private static final String TYPE = "type";
  public static final String ERROR_ACTION = "errorAction";
  public static final String RETRY_POLICY = "retryPolicy";
  public static final String TIMEOUT = "timeout";
  public static final String SUCCESS_ON = "successOn";
  private static final String FLOW = "flow";

  private static final String HTTP_ONLY = ": is allowed with type http and https only";

  /** Kinds of action, each with the property that holds its details. */
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
      return dialect.has(CAPITAL_TYPES) ? EnumNames.capitalized(word) : word;
    }

    static Type of(ActionCall call) {
      return switch (call.kind()) {
        case HTTP -> ((HttpCall) call).secureType() ? HTTPS : HTTP;
        case STORAGE_QUEUE -> STORAGE_QUEUE;
        case SERVICE_BUS ->
            ((ServiceBusCall) call).entity() == ServiceBusCall.Entity.QUEUE
                ? SERVICE_BUS_QUEUE
                : SERVICE_BUS_TOPIC;
        case REDIS_STREAM -> REDIS_STREAM;
        case REDIS_LIST -> REDIS_LIST;
      };
    }
  }

  private static final Set<String> PAYLOADS =
      Stream.of(Type.values()).map(type -> type.payload).collect(Collectors.toSet());
  private static final Set<String> KNOWN =
      Stream.concat(
              Stream.of(TYPE, RETRY_POLICY, ERROR_ACTION, TIMEOUT, SUCCESS_ON, FLOW),
              PAYLOADS.stream())
          .collect(Collectors.toSet());

  /** Type that the stored form omits. */
  private static final Type DEFAULT_TYPE = Type.HTTP;

  /** Wrong names that clients often try, with the intended property. */
  private static final Map<String, String> MEANT = Map.of("url", "request.uri");

  /** Placeholder for a refused call. No action performs it. */
  public static final HttpCall NO_CALL =
      new HttpCall(false, "http://localhost/", "GET", Map.of(), Optional.empty());

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

  private final Dialect dialect;
  private final SubmissionLimits limits;
  private final HttpCallCodec calls;
  private final StorageQueueCodec storageQueues;
  private final ServiceBusCodec serviceBuses;
  private final RedisQueueCodec redisQueues;
  private final RetryPolicyCodec retryPolicies;

  public ActionCodec(Dialect dialect, SubmissionLimits limits) {
    this.dialect = dialect;
    this.limits = limits;
    this.calls = new HttpCallCodec(dialect, limits);
    this.storageQueues = new StorageQueueCodec(dialect, limits);
    this.serviceBuses = new ServiceBusCodec(dialect, limits);
    this.redisQueues = new RedisQueueCodec(dialect, limits);
    this.retryPolicies = new RetryPolicyCodec(dialect, limits);
  }

  /** Reads the main action alone. */
  public Action read(JsonFields fields) {
    fields.allowOnly(KNOWN, MEANT, dialect);
    Type type = type(fields);
    refusePayloadsOfOthers(fields, type);
    RetryPolicy policy =
        fields.object(RETRY_POLICY, retryPolicies::read).orElse(RetryPolicy.UNSPECIFIED);
    JsonFields payload = fields.requiredObject(type.payload);
    ActionCall call = callOrNone(payload, type);
    Action action =
        new Action(
            call,
            policy,
            timeout(fields),
            StatusSetCodec.read(fields, SUCCESS_ON),
            flow(fields),
            PlaceholderRules.areIn(payload));
    if (dialect.isChecked() && !fields.isRefused(SUCCESS_ON) && !fields.isRefused(RETRY_POLICY)) {
      checkStatuses(fields, action);
    }
    return action;
  }

  private Type type(JsonFields fields) {
    if (!dialect.isChecked()) {
      return fields.word(TYPE, Type.WORDS).orElse(DEFAULT_TYPE);
    }
    Type type = fields.requiredWord(TYPE, Type.WORDS, DEFAULT_TYPE);
    return fields.isRefused(TYPE) ? typeOfPayload(fields) : type;
  }

  /** Determines the type from the property with the details, if the given type was refused. */
  private static Type typeOfPayload(JsonFields fields) {
    return Stream.of(Type.values())
        .filter(type -> fields.has(type.payload))
        .findFirst()
        .orElseThrow(() -> fields.missing(TYPE));
  }

  private ActionCall callOrNone(JsonFields fields, Type type) {
    try {
      return readCall(fields, type);
    } catch (JobException e) {
      fields.report(e);
      return NO_CALL;
    }
  }

  private static Optional<String> flow(JsonFields fields) {
    Optional<String> flow = fields.text(FLOW);
    try {
      flow.ifPresent(name -> NameRules.check(fields.place(FLOW), name));
    } catch (JobException e) {
      fields.report(e);
    }
    return flow;
  }

  /** Refuses statuses for other calls than HTTP, and a status in both successOn and giveUpOn. */
  private static void checkStatuses(JsonFields fields, Action action) {
    StatusSet giveUpOn =
        action.retryPolicy() instanceof RetryPolicy.Repeating policy
            ? policy.giveUpOn()
            : StatusSet.NONE;
    if (giveUpOn.isEmpty() && action.successOn().isEmpty()) {
      return;
    }
    String giveUpPlace = fields.place(RETRY_POLICY) + "." + RetryPolicyCodec.GIVE_UP_ON;
    if (!(action.call() instanceof HttpCall) && action.successOn().isPresent()) {
      fields.report(JobException.invalid(fields.place(SUCCESS_ON) + HTTP_ONLY));
    }
    if (!(action.call() instanceof HttpCall) && !giveUpOn.isEmpty()) {
      fields.report(JobException.invalid(giveUpPlace + HTTP_ONLY));
    }
    StatusSet successOn = action.successOn().orElse(StatusSet.SUCCESS);
    giveUpOn.entries().stream()
        .filter(successOn::covers)
        .findFirst()
        .ifPresent(
            entry -> {
              throw JsonFields.refuse(
                  giveUpPlace,
                  entry,
                  "is a success by "
                      + SUCCESS_ON
                      + " ("
                      + String.join(", ", successOn.entries())
                      + "); give it in one of the two");
            });
  }

  private Optional<Duration> timeout(JsonFields fields) {
    Optional<Duration> given = fields.duration(TIMEOUT);
    if (dialect.isChecked()) {
      given
          .filter(t -> t.compareTo(MIN_TIMEOUT) < 0 || t.compareTo(limits.maxTimeout()) > 0)
          .ifPresent(
              t ->
                  fields.report(
                      fields.refusal(
                          TIMEOUT,
                          "must be from "
                              + MIN_TIMEOUT
                              + " to "
                              + limits.maxTimeout()
                              + " (dispatch.maxTimeout)")));
    }
    return given;
  }

  private static void refusePayloadsOfOthers(JsonFields fields, Type type) {
    for (String payload : PAYLOADS) {
      if (fields.has(payload) && !payload.equals(type.payload)) {
        fields.report(
            JobException.invalid(
                fields.place(payload)
                    + ": must not be given with type '"
                    + type.word(Dialect.NATIVE)
                    + "', whose settings are in "
                    + type.payload));
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

  /** Reads the action that follows when every attempt of the main action has failed. */
  public Optional<Action> readErrorAction(JsonFields action) {
    return action.object(ERROR_ACTION, this::errorAction);
  }

  private Action errorAction(JsonFields fields) {
    if (fields.has(ERROR_ACTION)) {
      fields.report(
          JobException.invalid("action.errorAction.errorAction: an error action has none itself"));
    }
    return read(fields);
  }

  /** Writes the action's properties into the current object, in the service's order. */
  public static void write(JsonGenerator json, Action action, Dialect dialect) throws IOException {
    Type type = Type.of(action.call());
    json.writeObjectFieldStart(type.payload);
    content(action.call(), dialect).writeTo(json);
    if (action.placeholders()) {
      json.writeBooleanField(PlaceholderRules.PLACEHOLDERS, true);
    }
    json.writeEndObject();
    if (!dialect.isStored() || type != DEFAULT_TYPE) {
      json.writeStringField(TYPE, type.word(dialect));
    }
    if (action.retryPolicy() != RetryPolicy.UNSPECIFIED) {
      json.writeFieldName(RETRY_POLICY);
      RetryPolicyCodec.write(json, action.retryPolicy(), dialect);
    }
    if (action.timeout().isPresent()) {
      JsonOut.writeDuration(json, TIMEOUT, action.timeout().get(), dialect);
    }
    if (action.successOn().isPresent()) {
      StatusSetCodec.write(json, SUCCESS_ON, action.successOn().get());
    }
    if (action.flow().isPresent()) {
      json.writeStringField(FLOW, action.flow().get());
    }
  }

  /** Adds the defaults that the stored form of an action, and of its error action, omits. */
  public static void addDefaults(Map<String, Object> action) {
    action.putIfAbsent(TYPE, DEFAULT_TYPE.word);
    StrictJsonParser.objectIn(action, DEFAULT_TYPE.payload).ifPresent(HttpCallCodec::addDefaults);
    StrictJsonParser.objectIn(action, ERROR_ACTION).ifPresent(ActionCodec::addDefaults);
  }

  /** The properties of the payload. */
  private static JsonOut.Content content(ActionCall call, Dialect dialect) {
    return switch (call.kind()) {
      case HTTP -> json -> HttpCallCodec.write(json, (HttpCall) call, dialect);
      case STORAGE_QUEUE -> json -> StorageQueueCodec.write(json, (StorageQueueCall) call, dialect);
      case SERVICE_BUS -> json -> ServiceBusCodec.write(json, (ServiceBusCall) call, dialect);
      case REDIS_STREAM -> json -> RedisQueueCodec.write(json, (RedisStreamCall) call);
      case REDIS_LIST -> json -> RedisQueueCodec.write(json, (RedisListCall) call);
    };
  }
}
