package carillon.cli.admin;

import carillon.cli.ListCommand;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Command;

/** Command {@code nodes}: shows the nodes. */
@Command(
    name = "nodes",
    description = "Shows the nodes that share the work. Any of them answers for all.",
    footer = "  carillon nodes")
public final class NodesCommand extends ListCommand.OfAll {
  public NodesCommand() {
    super("node", "state", "last beat", "roles", "version", "first for", "in flight");
  }

  @Override
  protected String path() {
    return "/nodes";
  }

  @Override
  protected List<String> row(JsonNode node) {
    boolean isDead = node.path("state").asText().equals("dead");
    String partitions = isDead ? "" : node.path("partitionsByRank").path(0).asText();
    return List.of(
        node.path("id").asText(),
        node.path("state").asText(),
        time(node.path("lastBeat")),
        Json.joined(node.path("roles"), ","),
        node.path("version").asText(),
        partitions.isEmpty() ? "" : partitions + " partitions",
        node.path("inFlight").asText());
  }
}
