package carillon.dispatch;

import carillon.dispatch.ActionInvoker.CallOptions;
import carillon.job.ActionCall;
import carillon.job.Attempt;
import carillon.job.HttpCall;
import carillon.job.ServiceBusCall;
import carillon.job.StorageQueueCall;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Invokers of all kinds of actions: unseals the secrets of a call and gives it to the one of its
 * kind.
 *
 * @param vault unseals secrets
 * @param http for HTTP and HTTPS calls
 * @param storageQueues for messages to storage queues
 * @param serviceBuses for messages to Service Bus
 * @param redisQueues for entries of Redis streams and lists
 */
record ActionInvokers(
    Vault vault,
    InstantSource clock,
    HttpInvoker http,
    StorageQueueInvoker storageQueues,
    ServiceBusInvoker serviceBuses,
    RedisQueueInvoker redisQueues)
    implements ActionInvoker<ActionCall> {
  /** Secrets are in clear from here to the end of the attempt, in memory only. */
  @Override
  public Future<AttemptResult> invoke(
      Attempt attempt, String name, ActionCall call, CallOptions options, Runnable check) {
    try {
      return attempt(
          attempt, name, vault.unseal(attempt.job(), attempt.phase(), call), options, check);
    } catch (SecretException e) {
      Instant now = clock.instant();
      return Future.succeededFuture(
          new AttemptResult(false, now, now, "Not sent: " + e.getMessage()));
    }
  }

  private Future<AttemptResult> attempt(
      Attempt attempt, String name, ActionCall call, CallOptions options, Runnable check) {
    return switch (call.kind()) {
      case HTTP -> http.invoke(attempt, name, (HttpCall) call, options, check);
      case STORAGE_QUEUE ->
          storageQueues.invoke(attempt, name, (StorageQueueCall) call, options, check);
      case SERVICE_BUS -> serviceBuses.invoke(attempt, name, (ServiceBusCall) call, options, check);
      case REDIS_STREAM, REDIS_LIST -> redisQueues.invoke(attempt, name, call, options, check);
    };
  }

  @Override
  public Future<Void> close() {
    return Future.join(http.close(), serviceBuses.close()).mapEmpty();
  }
}
