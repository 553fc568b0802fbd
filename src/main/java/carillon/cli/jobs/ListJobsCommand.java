package carillon.cli.jobs;

import carillon.cli.ListCommand;
import carillon.cli.client.JobAddress;
import carillon.cli.client.QueryString;
import carillon.cli.output.JobCells;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs list}: lists the jobs of a collection. */
@Command(
    name = "list",
    description = "Lists the jobs of a collection, in the order of their names or another.",
    footer = {
      "  carillon jobs list",
      "  carillon jobs list orders --state enabled --limit 20",
      "  carillon jobs list orders --label team=billing -o wide",
      "  carillon jobs list orders --sort faulted --desc --limit 10",
      "  carillon jobs list --json | jq -r 'select(.status.failureCount > 0) | .id'"
    })
final class ListJobsCommand extends ListCommand.OfGroup {
  /** The states that a filter knows. */
  enum State {
    enabled,
    disabled,
    completed,
    faulted
  }

  @Mixin private LabelOptions labels;

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

  @Mixin private SortOptions sort;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "0",
      description = "Maximum number of jobs. Default: all.")
  private int limit;

  ListJobsCommand() {
    super(
        "job",
        "state",
        "next",
        "last",
        "age",
        "+executions",
        "+failed",
        "faulted",
        "+labels",
        "+description",
        "action");
  }

  /** Returns the age in the largest unit; empty if unknown. */
  private static String age(String created) {
    if (created.isEmpty()) {
      return "";
    }
    Duration age = Duration.between(Instant.parse(created), InstantSource.system().instant());
    return TextTable.unit(age.isNegative() ? Duration.ZERO : age); // clocks differ
  }

  @Override
  protected int limit() {
    return limit;
  }

  @Override
  protected String path() {
    Stream<String> ofState = Stream.ofNullable(state).map(word -> "state eq '" + word + "'");
    return JobAddress.jobsOf(collection)
        + new QueryString()
            .with("$top", top())
            .with("$filter", labels.filter(ofState))
            .with("$orderby", sort.order());
  }

  @Override
  protected List<String> row(JsonNode job) {
    JsonNode status = job.path("status");
    return List.of(
        job.path("id").asText(),
        JobCells.state(job),
        next(job),
        time(status.path("lastExecutionTime")),
        age(status.path("createdTime").asText()),
        status.path("executionCount").asText("0"),
        status.path("failureCount").asText("0"),
        status.path("faultedCount").asText("0"),
        LabelOptions.cell(job),
        job.path("description").asText(),
        TextTable.action(job.path("action")));
  }
}
