package carillon.cli;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.client.QueryString;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code tail}: shows attempts of all nodes as they end. */
@Command(
    name = "tail",
    description = {
      "Shows attempts of all nodes as they end, until it is interrupted.",
      "A key for some collections sees only those. If attempts end faster than they can be sent,"
          + " it prints how many were left out."
    },
    footer = {
      "  carillon tail",
      "  carillon tail --collection orders --status failed",
      "  carillon tail --json | jq -r .job"
    })
public final class TailCommand implements Runnable {
  /** Outcome of an attempt. */
  enum Status {
    completed,
    failed,
    skipped
  }

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;

  @Option(
      names = "--collection",
      paramLabel = "COLLECTION",
      description = "Only jobs of collections of this name.")
  private String collection;

  @Option(names = "--job", paramLabel = "TEXT", description = "Only jobs with this in their names.")
  private String job;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only attempts with this status: ${COMPLETION-CANDIDATES}.")
  private Status status;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "0",
      description = "Ends after this number of attempts. Default: 0, never.")
  private int limit;

  private int shown;

  @Override
  public void run() {
    ListCommand.checkLimit(limit);
    output.columns("start", "status", "code", "took", "job", "+execution", "message");
    QueryString query =
        new QueryString().with("collection", collection).with("job", job).with("status", status);
    options.node().events("/console/executions" + query, this::show);
    output.end();
  }

  /** Shows the attempts of an event; false if enough were shown, or nobody reads the output. */
  private boolean show(String event, String data) {
    if (event.equals("lost")) {
      output.note(data + " were left out: attempts end faster than they can be sent");
      return true;
    }
    if (!event.equals("executions")) {
      return true;
    }
    for (JsonNode attempt : Json.read(data)) {
      row(attempt);
      shown++;
      if (shown == limit) {
        return false;
      }
    }
    return output.flush();
  }

  private void row(JsonNode attempt) {
    output.row(
        attempt,
        List.of(
            attempt.path("startTime").asText(),
            attempt.path("status").asText(),
            attempt.path("statusCode").asText(),
            TextTable.duration(Duration.ofMillis(attempt.path("durationMs").asLong())),
            JobAddress.nameOf(attempt),
            attempt.path("executionId").asText(),
            TextTable.outcome(attempt)));
  }
}
