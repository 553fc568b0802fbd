package carillon.job;

import java.util.HashMap;
import java.util.Map;

/** The call that an attempt performs. Each kind of action is one record. */
public sealed interface ActionCall
    permits HttpCall, StorageQueueCall, ServiceBusCall, RedisStreamCall, RedisListCall {
  /** Kinds of action, of which each is one record. */
  enum Kind {
    HTTP,
    STORAGE_QUEUE,
    SERVICE_BUS,
    REDIS_STREAM,
    REDIS_LIST
  }

  /** The kind of this call; what treats kinds differently switches over it, so none is left out. */
  Kind kind();

  /** This call with every secret of it replaced; itself when it has none. */
  ActionCall mapSecrets(Secret.Mapping mapping);

  /**
   * Whom the secrets of this call belong to, such as a user's name: {@link #keeping} takes over
   * secrets only where this is equal. All but the secrets themselves, unless a kind says less.
   */
  default Object secretOwner() {
    return mapSecrets((field, secret) -> Secret.KEPT);
  }

  /** This call with every {@link Secret#KEPT} replaced by the secret that {@code stored} has. */
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
   * This call as one that tells its target the span of a trace, where its kind has a way to; else
   * itself.
   */
  default ActionCall traced(TraceContext span) {
    return this;
  }

  /** Where its connection goes. */
  Destination destination();
}
