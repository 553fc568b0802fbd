package carillon.job.action;

import java.util.HashMap;
import java.util.Map;

/** The call that an attempt performs. Each kind of action is one record. */
public sealed interface ActionCall
    permits HttpCall, StorageQueueCall, ServiceBusCall, RedisStreamCall, RedisListCall {
  /** Kinds of action. Each kind is one record. */
  enum Kind {
    HTTP,
    STORAGE_QUEUE,
    SERVICE_BUS,
    REDIS_STREAM,
    REDIS_LIST
  }

  /**
   * The kind of this call. Code that treats kinds differently uses a switch over it, and so covers
   * every kind.
   */
  Kind kind();

  /** Returns this call with every secret replaced, or this call itself if it has no secret. */
  ActionCall mapSecrets(Secret.Mapping mapping);

  /**
   * Owner of the secrets of this call, such as a user name: {@link #keeping} takes over secrets
   * only if the owners are equal. By default, the whole call except its secrets.
   */
  default Object secretOwner() {
    return mapSecrets((field, secret) -> Secret.KEPT);
  }

  /** Returns this call with every {@link Secret#KEPT} replaced by the secret of {@code stored}. */
  default ActionCall keeping(ActionCall stored) {
    Map<String, Secret> secrets = new HashMap<>();
    stored.mapSecrets(
        (field, secret) -> {
          secrets.put(field, secret);
          return secret;
        });
    return mapSecrets(
        (field, secret) -> secret.isKept() ? secrets.getOrDefault(field, secret) : secret);
  }

  /**
   * Returns this call with the span of a trace for its target, if this kind of call can carry one.
   * Otherwise returns this call itself.
   */
  default ActionCall traced(TraceContext span) {
    return this;
  }

  /** Returns this call with every text mapped that may hold placeholders. */
  ActionCall mapTexts(TextMapping mapping);

  /** Host and port to connect to. */
  Destination destination();
}
