package carillon.cli;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.WatchOptions;
import carillon.cli.output.Output;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code destinations}: shows the hosts that all nodes called recently. */
@Command(
    name = "destinations",
    description = {
      "Shows the hosts that all nodes called in the last 15 minutes, the busiest first.",
      "Needs the role reader for everything."
    },
    footer = {
      "  carillon destinations",
      "  carillon destinations --watch",
      "  carillon destinations --json | jq -r 'select(.failed > 0) | .destination'"
    })
public final class DestinationsCommand implements Runnable {
  private static final int MILLIS = 1000;

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    output.columns("destination", "completed", "failed", "in flight", "p50", "p99", "flows");
    JsonNode recent = options.node().get("/destinations");
    recent.path("value").forEach(this::show);
    output.end();
    if (!recent.path("allDestinations").asBoolean(true)) {
      output.note("a node called more destinations than are counted; those are left out");
    }
  }

  private void show(JsonNode called) {
    List<String> flows = new ArrayList<>();
    called
        .path("flows")
        .forEach(
            flow -> {
              boolean isStopped =
                  flow.path("paused").asBoolean() || flow.path("breaker").asText().equals("open");
              flows.add(flow.path("flow").asText() + (isStopped ? " (stopped)" : ""));
            });
    output.row(
        called,
        List.of(
            called.path("destination").asText(),
            called.path("completed").asText(),
            called.path("failed").asText(),
            called.path("inFlight").asText(),
            duration(called.path("durationP50")),
            duration(called.path("durationP99")),
            String.join(", ", flows)));
  }

  private static String duration(JsonNode seconds) {
    return seconds.isNumber()
        ? TextTable.duration(Duration.ofMillis(Math.round(seconds.asDouble() * MILLIS)))
        : "";
  }
}
