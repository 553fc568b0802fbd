package carillon.dispatch;

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
 * Gives each attempt to the invoker of its kind.
 *
 * @param vault opens secrets
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
      Attempt attempt, String name, ActionCall call, Runnable check) {
    try {
      return attempt(attempt, name, vault.open(attempt.job(), attempt.phase(), call), check);
    } catch (SecretException e) {
      Instant now = clock.instant();
      return Future.succeededFuture(
          new AttemptResult(false, now, now, "Not sent: " + e.getMessage()));
    }
  }

  private Future<AttemptResult> attempt(
      Attempt attempt, String name, ActionCall call, Runnable check) {
    if (call instanceof HttpCall request) {
      return http.invoke(attempt, name, request, check);
    }
    if (call instanceof StorageQueueCall message) {
      return storageQueues.invoke(attempt, name, message, check);
    }
    if (call instanceof ServiceBusCall message) {
      return serviceBuses.invoke(attempt, name, message, check);
    }
    return redisQueues.invoke(attempt, name, call, check);
  }

  @Override
  public Future<Void> close() {
    return Future.join(http.close(), serviceBuses.close()).mapEmpty();
  }
}
