package carillon.api.arm;

import carillon.job.collection.AzureRegions;
import carillon.json.text.JsonOut;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Writer of the resource provider, as Azure Resource Manager described it. */
final class ProviderWriter {
  private static final String NAMESPACE = "Microsoft.Scheduler";
  private static final List<String> RESOURCE_TYPES = List.of("jobcollections", "operations");

  /** Operations: name after that of the provider, resource, and description. */
  private static final List<List<String>> OPERATIONS =
      List.of(
          List.of("jobcollections/read", "Job Collection", "Get Job Collection"),
          List.of("jobcollections/write", "Job Collection", "Create or Update Job Collection"),
          List.of("jobcollections/delete", "Job Collection", "Delete Job Collection"),
          List.of("jobcollections/enable/action", "Job Collection", "Enable Job Collection"),
          List.of("jobcollections/disable/action", "Job Collection", "Disable Job Collection"),
          List.of("jobcollections/jobs/read", "Job", "Get Job"),
          List.of("jobcollections/jobs/write", "Job", "Create or Update Job"),
          List.of("jobcollections/jobs/delete", "Job", "Delete Job"),
          List.of("jobcollections/jobs/run/action", "Job", "Run Job"),
          List.of("jobcollections/jobs/jobhistories/read", "Job History", "Get Job History"));

  private final List<String> versions;

  /**
   * @param versions of the API, newest first
   */
  ProviderWriter(List<String> versions) {
    this.versions = List.copyOf(versions);
  }

  /** Writes the provider for a subscription, always as registered. */
  byte[] provider(String subscription) {
    return JsonOut.of(json -> write(json, subscription));
  }

  /** Writes a list of all providers. */
  byte[] providers(String subscription) {
    return JsonOut.of(
        json -> JsonOut.writePage(json, List.of(subscription), this::write, Optional.empty()));
  }

  /** Writes a list of all operations. */
  byte[] operations() {
    return JsonOut.of(
        json ->
            JsonOut.writePage(json, OPERATIONS, ProviderWriter::writeOperation, Optional.empty()));
  }

  private void write(JsonGenerator json, String subscription) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", "/subscriptions/" + subscription + "/providers/" + NAMESPACE);
    json.writeStringField("namespace", NAMESPACE);
    json.writeArrayFieldStart("resourceTypes");
    for (String type : RESOURCE_TYPES) {
      json.writeStartObject();
      json.writeStringField("resourceType", type);
      JsonOut.writeTexts(json, "locations", AzureRegions.NAMES);
      JsonOut.writeTexts(json, "apiVersions", versions);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("registrationState", "Registered");
    json.writeEndObject();
  }

  private static void writeOperation(JsonGenerator json, List<String> operation)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", NAMESPACE + "/" + operation.get(0));
    json.writeObjectFieldStart("display");
    json.writeStringField("provider", "Microsoft Scheduler");
    json.writeStringField("resource", operation.get(1));
    json.writeStringField("operation", operation.get(2));
    json.writeEndObject();
    json.writeEndObject();
  }
}
