package carillon.cli;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.JobAddress;
import carillon.cli.output.JobCells;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Cells with the reason why an entry of due work waits. Asks for each flow once. */
public final class FlowCells {
  private final ApiClient node;
  private final Output output;
  private final Map<String, String> flows = new HashMap<>();

  public FlowCells(ApiClient node, Output output) {
    this.node = node;
    this.output = output;
  }

  /**
   * Returns the pause or the flow that an entry waits for; empty if it only waits for its instant.
   */
  public Optional<String> waits(JsonNode entry) {
    if (entry.has("waits")) {
      return Optional.of(JobCells.waits(entry.get("waits"), output));
    }
    if (!entry.has("flow") || !output.isForPeople()) {
      return Optional.empty();
    }
    String name = entry.path("flow").asText();
    String path =
        JobAddress.groupPath(entry.path("subscription").asText(), entry.path("group").asText())
            + JobAddress.pathOf(FlowsCommand.PATH, name);
    return Optional.of(flows.computeIfAbsent(path, asked -> flow(asked, name)));
  }

  /** Returns "flow crm is paused by KEY", or another reason why its calls wait. */
  private String flow(String path, String name) {
    ApiReply reply = node.ask("GET", path, new byte[0]);
    String flow = "flow " + name;
    if (!reply.isSuccess()) {
      return flow; // the caller may not read the flow, or it was deleted
    }
    JsonNode pause = reply.json().path("pause");
    if (pause.isObject()) {
      return flow
          + " is paused by "
          + pause.path("by").asText()
          + JobCells.untilAndNote(output.time(pause.path("until").asText()), pause);
    }
    boolean isOpen = reply.json().path("state").path("breaker").asText("closed").equals("open");
    return isOpen ? flow + ", its breaker is open" : flow + ", its limits";
  }
}
