package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code nodes}: shows the nodes. */
@Command(
    name = "nodes",
    description = "Shows the nodes that share the work. Any of them answers for all.",
    footer = "  carillon nodes")
public final class NodesCommand implements Runnable {
  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    output.columns("node", "state", "last beat", "roles", "version", "first for", "in flight");
    options
        .node()
        .list(
            "/nodes",
            node -> {
              show(node);
              return true;
            });
    output.end();
  }

  private void show(JsonNode node) {
    String roles =
        StreamSupport.stream(node.path("roles").spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(","));
    String partitions = node.path("partitionsByRank").path(0).asText();
    output.row(
        node,
        List.of(
            node.path("id").asText(),
            node.path("state").asText(),
            output.time(node.path("lastBeat").asText()),
            roles,
            node.path("version").asText(),
            partitions.isEmpty() ? "" : partitions + " partitions",
            node.path("inFlight").asText()));
  }
}
