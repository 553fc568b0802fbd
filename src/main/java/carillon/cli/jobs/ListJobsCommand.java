package carillon.cli.jobs;

import carillon.cli.GroupOptions;
import carillon.cli.JobAddress;
import carillon.cli.Output;
import carillon.cli.TextTable;
import carillon.cli.WatchOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs list}: lists the jobs of a collection. */
@Command(
    name = "list",
    description = "Lists the jobs of a collection, in the order of their names.",
    footer = {
      "  carillon jobs list",
      "  carillon jobs list orders --state enabled --limit 20",
      "  carillon jobs list --json | jq -r 'select(.status.failureCount > 0) | .id'"
    })
final class ListJobsCommand implements Runnable {
  /** The states that a filter knows. */
  enum State {
    enabled,
    disabled,
    completed,
    faulted
  }

  private static final int PAGE = 100;

  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Parameters(
      arity = "0..1",
      paramLabel = "COLLECTION",
      defaultValue = JobAddress.DEFAULT,
      description = "Default: default.")
  private String collection;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only jobs in this state: ${COMPLETION-CANDIDATES}.")
  private State state;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "0",
      description = "Maximum number of jobs. Default: all.")
  private int limit;

  private int shown;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    shown = 0;
    output.columns(
        "job", "state", "next", "last", "age", "executions", "+failed", "faulted", "action");
    options.node().list(path(), this::show);
    output.end();
  }

  /** How long ago, in the largest unit; empty where nothing says it. */
  private static String age(String created) {
    if (created.isEmpty()) {
      return "";
    }
    Duration age = Duration.between(Instant.parse(created), InstantSource.system().instant());
    return TextTable.unit(age.isNegative() ? Duration.ZERO : age); // clocks differ
  }

  private String path() {
    String filter = state == null ? "" : "&$filter=state%20eq%20'" + state + "'";
    int top = limit > 0 ? Math.min(limit, PAGE) : PAGE;
    return JobAddress.jobsOf(collection) + "?$top=" + top + filter;
  }

  private boolean show(JsonNode job) {
    JsonNode status = job.path("status");
    output.row(
        job,
        List.of(
            job.path("id").asText(),
            job.path("state").asText(),
            output.time(status.path("nextExecutionTime").asText()),
            output.time(status.path("lastExecutionTime").asText()),
            age(status.path("createdTime").asText()),
            status.path("executionCount").asText("0"),
            status.path("failureCount").asText("0"),
            status.path("faultedCount").asText("0"),
            TextTable.action(job.path("action"))));
    shown++;
    return shown != limit && (shown % PAGE != 0 || output.isOpen());
  }
}
