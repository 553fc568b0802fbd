package carillon.dispatch;

import carillon.config.QueuesSettings;
import carillon.job.Attempt;
import carillon.job.HttpCall;
import carillon.job.StorageQueueCall;
import io.vertx.core.Future;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Puts messages into Azure storage queues: the operation Put Message of the service's REST API,
 * allowed by a shared access signature. Everything about the request is the HTTP invoker's:
 * deadline, bounds, connections, and where it may go.
 */
final class StorageQueueInvoker implements ActionInvoker<StorageQueueCall> {
  private static final String ACTION = "Storage Queue Action";

  private final HttpInvoker http;
  private final QueuesSettings settings;
  private final String region;

  StorageQueueInvoker(HttpInvoker http, QueuesSettings settings, String region) {
    this.http = http;
    this.settings = settings;
    this.region = region;
  }

  @Override
  public Future<AttemptResult> invoke(
      Attempt attempt, String name, StorageQueueCall call, Runnable check) {
    String requestId = ExecutionHeaders.requestId();
    String text = StorageQueueEnvelope.of(attempt, name, requestId, region, call.message());
    HttpCall request =
        new HttpCall(
            true,
            uri(call),
            "POST",
            Map.of("Content-Type", "application/xml", "x-ms-client-request-id", requestId),
            Optional.of(
                "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>"
                    + text
                    + "</MessageText></QueueMessage>"));
    return http.deliver(attempt, name, request, check).map(result -> result.of(ACTION));
  }

  private String uri(StorageQueueCall call) {
    String account =
        settings
            .storageAccount(call.storageAccount())
            .map(address -> address.toString().replaceFirst("/+$", ""))
            .orElseGet(
                () ->
                    "https://"
                        + call.storageAccount().toLowerCase(Locale.ROOT)
                        + ".queue.core.windows.net");
    String token = call.sasToken().text();
    return account
        + "/"
        + call.queueName()
        + "/messages?"
        + (token.startsWith("?") ? token.substring(1) : token);
  }

  /** Has no connections of its own. */
  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
