package carillon.cli.jobs;

import carillon.cli.ListCommand;
import carillon.cli.client.JobAddress;
import carillon.cli.client.QueryString;
import carillon.cli.output.CommandException;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs history}: shows the attempts of a job. */
@Command(
    name = "history",
    description = "Shows the outcomes of a job's attempts, newest first.",
    footer = {
      "  carillon jobs history hello",
      "  carillon jobs history orders/nightly --status failed --limit 0 --json",
      "  carillon jobs history orders/nightly --marks"
    })
final class JobHistoryCommand extends ListCommand.OfGroup {
  @Parameters(
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job.")
  private JobAddress job;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only entries with this status, such as completed or failed.")
  private String status;

  @Option(names = "--marks", description = "Also who changed the job, and the schedule until then.")
  private boolean withMarks;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of entries; 0: all. Default: 20.")
  private int limit;

  JobHistoryCommand() {
    super(
        "start",
        "status",
        "code",
        "late",
        "took",
        "retry",
        "action",
        "+execution",
        "+count",
        "+to",
        "message");
  }

  @Override
  protected int limit() {
    return limit;
  }

  @Override
  protected String path() {
    if (status != null && !status.matches("[A-Za-z]+")) {
      throw CommandException.usage("--status must be a word, was '" + status + "'");
    }
    return job.path()
        + "/history"
        + new QueryString()
            .with("$top", top())
            .with("$filter", status == null ? null : "status eq '" + status + "'")
            .with("marks", withMarks ? true : null);
  }

  @Override
  protected List<String> row(JsonNode entry) {
    String start = entry.path("startTime").asText();
    String status = entry.path("status").asText();
    if (status.equals("marked")) {
      String message = entry.path("message").asText();
      return List.of(
          time(entry.path("startTime")), status, "", "", "", "", "", "", "", "", message);
    }
    return List.of(
        time(entry.path("startTime")),
        status,
        entry.path("statusCode").asText(),
        between(entry.path("expectedExecutionTime").asText(), start),
        between(start, entry.path("endTime").asText()),
        entry.path("retryCount").asText("0"),
        entry.path("actionName").asText().replace("Action", ""),
        entry.path("executionId").asText(),
        entry.path("count").asText(),
        entry.has("to") ? time(entry.path("to")) : "",
        TextTable.outcome(entry));
  }

  private static String between(String from, String to) {
    try {
      return TextTable.duration(Duration.between(Instant.parse(from), Instant.parse(to)));
    } catch (DateTimeException e) {
      return ""; // an entry of something that was skipped has no end
    }
  }
}
