package carillon.cli.admin;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.WatchOptions;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command {@code status}: shows what needs attention, and the jobs by their states. */
@Command(
    name = "status",
    description =
        "Shows the number of jobs in each state, and what needs attention, the worst first.",
    footer = {"  carillon status", "  carillon status --json | jq .attention"})
public final class StatusCommand implements Runnable {
  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    JsonNode overview = options.node().get("/overview");
    if (output.document(overview, overview.path("scope").asText())) {
      return;
    }
    JsonNode jobs = overview.path("jobs");
    String counts =
        jobs.properties().stream()
            .map(count -> count.getValue().asText() + " " + count.getKey())
            .collect(Collectors.joining(", "));
    output.line("jobs: " + counts);
    JsonNode attention = overview.path("attention");
    if (attention.isEmpty()) {
      output.line("Nothing needs attention.");
      return;
    }
    output.columns("level", "what", "why");
    for (JsonNode one : attention) {
      output.row(
          one,
          List.of(one.path("level").asText(), one.path("what").asText(), one.path("why").asText()));
    }
    output.end();
  }
}
