package carillon.cli.jobs;

import carillon.cli.CommandException;
import carillon.cli.GroupOptions;
import carillon.cli.JobAddress;
import carillon.cli.Output;
import carillon.cli.TextTable;
import carillon.cli.WatchOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs history}: shows the attempts of a job. */
@Command(
    name = "history",
    description = "Shows the outcomes of a job's attempts, newest first.",
    footer = {
      "  carillon jobs history hello",
      "  carillon jobs history orders/nightly --status failed --limit 0 --json"
    })
final class JobHistoryCommand implements Runnable {
  private static final int PAGE = 100;

  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

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

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of entries; 0: all. Default: 20.")
  private int limit;

  private int shown;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    shown = 0;
    if (status != null && !status.matches("[A-Za-z]+")) {
      throw CommandException.usage("--status must be a word, was '" + status + "'");
    }
    output.columns(
        "start", "status", "code", "late", "took", "retry", "action", "+execution", "message");
    String filter = status == null ? "" : "&$filter=status%20eq%20'" + status + "'";
    int top = limit > 0 ? Math.min(limit, PAGE) : PAGE;
    options.node().list(job.path() + "/history?$top=" + top + filter, this::show);
    output.end();
  }

  private boolean show(JsonNode entry) {
    String start = entry.path("startTime").asText();
    output.row(
        entry,
        List.of(
            output.time(start),
            entry.path("status").asText(),
            entry.path("statusCode").asText(),
            between(entry.path("expectedExecutionTime").asText(), start),
            between(start, entry.path("endTime").asText()),
            entry.path("retryCount").asText("0"),
            entry.path("actionName").asText(),
            entry.path("executionId").asText(),
            entry.path("message").asText()));
    shown++;
    return shown != limit;
  }

  private static String between(String from, String to) {
    try {
      return TextTable.duration(Duration.between(Instant.parse(from), Instant.parse(to)));
    } catch (DateTimeException e) {
      return ""; // an entry of something that was skipped has no end
    }
  }
}
