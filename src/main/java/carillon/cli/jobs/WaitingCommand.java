package carillon.cli.jobs;

import carillon.cli.FlowCells;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code jobs waiting}: shows the waiting attempts of a job, and the reasons. */
@Command(
    name = "waiting",
    description =
        "Shows the attempts of a job that wait: for a retry, a flow or the end of a pause.",
    footer = {"  carillon jobs waiting hello", "  carillon jobs waiting orders/nightly --json"})
final class WaitingCommand implements Runnable {
  @Mixin private GroupOptions options;
  @Mixin private Output output;

  @Parameters(
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job.")
  private JobAddress job;

  @Override
  public void run() {
    JsonNode waiting = options.node().get(job.path() + "/waiting");
    FlowCells flows = new FlowCells(options.node(), output);
    output.columns("due", "kind", "attempt", "waits for");
    waiting.path("value").forEach(entry -> show(entry, flows));
    output.end();
  }

  private void show(JsonNode entry, FlowCells flows) {
    String attempt = entry.path("attempt").asText();
    output.row(
        entry,
        List.of(
            output.time(entry.path("due").asText()),
            entry.path("kind").asText(),
            entry.has("maxAttempts")
                ? attempt + " of " + entry.path("maxAttempts").asText()
                : attempt,
            flows.waits(entry).orElse("")));
  }
}
