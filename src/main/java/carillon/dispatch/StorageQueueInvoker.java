package carillon.dispatch;

import carillon.config.QueuesSettings;
import carillon.dispatch.call.ActionInvoker;
import carillon.dispatch.call.ActionInvoker.CallOptions;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.call.ExecutionHeaders;
import carillon.dispatch.http.HttpInvoker;
import carillon.job.action.HttpCall;
import carillon.job.action.StorageQueueCall;
import carillon.job.attempt.Attempt;
import carillon.job.name.ShortName;
import carillon.json.text.Timestamps;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Invoker of messages to Azure storage queues: the operation Put Message of the service's REST API,
 * allowed by a shared access signature. The HTTP invoker handles the request: deadline, bounds,
 * connections, and allowed targets.
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
      Attempt attempt, String name, StorageQueueCall call, CallOptions options, Runnable check) {
    String requestId = ExecutionHeaders.requestId();
    String text = envelope(attempt, name, requestId, region, call.message());
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
    return http.deliver(attempt, name, request, options, check).map(result -> result.of(ACTION));
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

  /**
   * The text of a message as the Azure Scheduler wrote it: base64 of the UTF-8 bytes of an XML
   * document. The document calls itself utf-16, as a .NET string does, and consumers of old count
   * on that.
   *
   * @param name {@code collection/job}
   * @param clientRequestId of the attempt
   */
  private static String envelope(
      Attempt attempt, String name, String clientRequestId, String region, String message) {
    ShortName job = ShortName.parse(name);
    String due = Timestamps.format(attempt.dueAt());
    String xml =
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>"
            + "<StorageQueueMessage xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""
            + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
            + element("ExecutionTag", attempt.executionId())
            + element("ClientRequestId", clientRequestId)
            + element("ExpectedExecutionTime", due.substring(0, due.length() - 1))
            + element("SchedulerJobId", job.job())
            + element("SchedulerJobCollectionId", job.collection())
            + element("Region", region)
            + element("Message", message)
            + "</StorageQueueMessage>";
    return Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
  }

  private static String element(String name, String text) {
    return "<" + name + ">" + escaped(text) + "</" + name + ">";
  }

  /** A carriage return in clear would be read as the end of a line. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#xD;");
  }
}
