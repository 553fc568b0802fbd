package carillon.dispatch;

import carillon.job.Call;
import carillon.job.HttpCall;
import carillon.job.Run;
import carillon.job.ServiceBusCall;
import carillon.job.StorageQueueCall;
import carillon.secret.SecretException;
import carillon.vault.Vault;
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
record Invokers(
    Vault vault,
    InstantSource clock,
    HttpInvoker http,
    StorageQueueInvoker storageQueues,
    ServiceBusInvoker serviceBuses,
    RedisQueueInvoker redisQueues)
    implements Invoker<Call> {
  /** Secrets are in clear from here to the end of the attempt, in memory only. */
  @Override
  public Future<AttemptResult> invoke(Run run, String name, Call call, Runnable check) {
    try {
      return attempt(run, name, vault.open(run.job(), run.phase(), call), check);
    } catch (SecretException e) {
      Instant now = clock.instant();
      return Future.succeededFuture(
          new AttemptResult(false, now, now, "Not sent: " + e.getMessage()));
    }
  }

  private Future<AttemptResult> attempt(Run run, String name, Call call, Runnable check) {
    if (call instanceof HttpCall request) {
      return http.invoke(run, name, request, check);
    }
    if (call instanceof StorageQueueCall message) {
      return storageQueues.invoke(run, name, message, check);
    }
    if (call instanceof ServiceBusCall message) {
      return serviceBuses.invoke(run, name, message, check);
    }
    return redisQueues.invoke(run, name, call, check);
  }

  @Override
  public Future<Void> close() {
    return Future.join(http.close(), serviceBuses.close()).mapEmpty();
  }
}
