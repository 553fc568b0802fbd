package carillon.cli.jobs;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.JobCells;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.StringJoiner;
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
    fact("state", JobCells.state(document));
    if (document.has("waits")) {
      fact("waits", JobCells.waits(document.get("waits"), output));
    }
    fact("next", output.time(status.path("nextExecutionTime").asText()));
    fact("last", output.time(status.path("lastExecutionTime").asText()));
    fact(
        "counters",
        TextTable.counted(status.path("executionCount").asLong(), "execution")
            + ", "
            + TextTable.counted(status.path("failureCount").asLong(), "failed attempt")
            + ", "
            + TextTable.counted(status.path("faultedCount").asLong(), "faulted execution"));
    fact("defaults", defaults(status.path("defaults")));
    fact("etag", reply.etag());
    ObjectNode definition = document.deepCopy();
    definition.remove("id");
    definition.remove("state");
    definition.remove("status");
    definition.remove("waits");
    output.line(Json.pretty(definition));
  }

  /** Settings that apply because the definition leaves them out. */
  private static String defaults(JsonNode defaults) {
    StringJoiner all = new StringJoiner(", ");
    add(defaults.path("action"), "", all);
    add(defaults.path("action").path("errorAction"), "errorAction ", all);
    if (defaults.has("missed")) {
      all.add("missed " + defaults.path("missed").path("run").asText());
    }
    for (String name : List.of("overlap", "priority")) {
      if (defaults.has(name)) {
        all.add(name + " " + defaults.path(name).asText());
      }
    }
    return all.toString();
  }

  private static void add(JsonNode action, String prefix, StringJoiner all) {
    JsonNode retry = action.path("retryPolicy");
    if (retry.isObject()) {
      all.add(
          prefix
              + "retries "
              + retry.path("retryCount").asText()
              + " after "
              + retry.path("retryInterval").asText());
    }
    if (action.has("timeout")) {
      all.add(prefix + "timeout " + action.path("timeout").asText());
    }
    if (action.has("successOn")) {
      StringJoiner statuses = new StringJoiner(" ");
      action.path("successOn").forEach(status -> statuses.add(status.asText()));
      all.add(prefix + "successOn " + statuses);
    }
  }

  private void fact(String name, String value) {
    output.line(String.format("%-9s %s", name, value.isEmpty() ? "-" : value));
  }
}
