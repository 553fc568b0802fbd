package carillon.cli.jobs;

import carillon.cli.ApiClient;
import carillon.cli.ApiReply;
import carillon.cli.GroupOptions;
import carillon.cli.JobAddress;
import carillon.cli.Json;
import carillon.cli.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code jobs get}: shows one job. */
@Command(
    name = "get",
    aliases = "show",
    description = "Shows a job: its state and its definition.",
    footer = {
      "  carillon jobs get hello",
      "  carillon jobs get hello --json | jq '.recurrence.interval = 10' | carillon jobs put hello"
    })
final class GetJobCommand implements Runnable {
  @Mixin private GroupOptions options;
  @Mixin private Output output;

  @Parameters(
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job.")
  private JobAddress job;

  @Override
  public void run() {
    ApiClient node = options.node();
    ApiReply reply = node.ask("GET", job.path(), new byte[0]);
    node.proposeNearest(reply, job.list(), job.job()).orFail();
    JsonNode document = reply.json();
    if (!output.document(document, job.toString())) {
      people(reply, document);
    }
  }

  private void people(ApiReply reply, JsonNode document) {
    JsonNode status = document.path("status");
    fact("job", job.collection() + "/" + document.path("id").asText());
    fact("state", document.path("state").asText());
    fact("next", output.time(status.path("nextExecutionTime").asText()));
    fact("last", output.time(status.path("lastExecutionTime").asText()));
    fact(
        "counters",
        status.path("executionCount").asText("0")
            + " executions, "
            + status.path("failureCount").asText("0")
            + " failed attempts, "
            + status.path("faultedCount").asText("0")
            + " faulted executions");
    fact("etag", reply.etag());
    ObjectNode definition = document.deepCopy();
    definition.remove("id");
    definition.remove("state");
    definition.remove("status");
    output.line(Json.pretty(definition));
  }

  private void fact(String name, String value) {
    output.line(String.format("%-9s %s", name, value.isEmpty() ? "-" : value));
  }
}
