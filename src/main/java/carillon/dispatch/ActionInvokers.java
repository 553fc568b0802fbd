package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.config.Settings;
import carillon.dispatch.call.ActionInvoker;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.call.WebhookSigner;
import carillon.dispatch.egress.Egress;
import carillon.dispatch.egress.EgressException;
import carillon.dispatch.egress.EgressResolver;
import carillon.dispatch.http.Authenticator;
import carillon.dispatch.http.HttpInvoker;
import carillon.dispatch.http.OAuthTokenCache;
import carillon.dispatch.http.OAuthTokenClient;
import carillon.dispatch.servicebus.BusConnections;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.StorageQueueCall;
import carillon.job.attempt.Attempt;
import carillon.redis.SharedClock;
import carillon.secret.SecretException;
import carillon.secret.Vault;
import carillon.store.Stores.CollectionStores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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
  /**
   * Returns the invokers of one dispatcher.
   *
   * @param observer learns of refusals by the egress policy and of repeated calls
   */
  static ActionInvokers of(
      Vertx vertx,
      SharedClock clock,
      DispatchOptions config,
      CollectionStores stores,
      DispatchObserver observer) {
    Settings settings = config.settings();
    DispatchSettings dispatch = settings.dispatch();
    QueuesSettings queues = settings.queues();
    ExecutionHeaders headers =
        new ExecutionHeaders(
            config.userAgent(),
            dispatch.region(),
            settings.clock().isVirtual(),
            dispatch.azureHeaders());
    Egress egress = observed(EgressResolver.of(vertx, config.egress()), observer);
    OAuthTokenClient endpoint = new OAuthTokenClient(vertx, dispatch, egress);
    // To find a collection is not persisted: nothing between the claim and the call waits for
    // Redis.
    WebhookSigner signer = new WebhookSigner(stores.collections()::find, config.vault(), clock);
    HttpInvoker http =
        new HttpInvoker(
            vertx,
            clock,
            dispatch,
            headers,
            new Authenticator(
                clock, dispatch, settings.oauth(), new OAuthTokenCache(endpoint, clock)),
            signer,
            egress,
            observer);
    return new ActionInvokers(
        config.vault(),
        clock,
        http,
        new StorageQueueInvoker(http, queues, dispatch.region()),
        new ServiceBusInvoker(
            http, new BusConnections(vertx, egress, clock, dispatch, queues), queues, clock),
        new RedisQueueInvoker(clock, queues, stores.queues()));
  }

  private static Egress observed(Egress egress, DispatchObserver observer) {
    return (host, port) ->
        egress
            .checkAll(host, port)
            .onFailure(
                failure -> {
                  if (failure instanceof EgressException) {
                    observer.refused();
                  }
                });
  }

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
