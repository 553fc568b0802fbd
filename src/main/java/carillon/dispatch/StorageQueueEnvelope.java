package carillon.dispatch;

import carillon.job.Attempt;
import carillon.job.ShortName;
import carillon.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The text of a message in a storage queue, as the Azure Scheduler wrote it: base64 of the UTF-8
 * bytes of an XML document. The document calls itself utf-16, as a .NET string does, and consumers
 * of old count on that.
 */
final class StorageQueueEnvelope {
  private StorageQueueEnvelope() {}

  /**
   * Wraps a message.
   *
   * @param name {@code collection/job}
   * @param clientRequestId of the attempt
   */
  static String of(
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
