package carillon.cli.jobs;

import carillon.cli.ApiClient;
import carillon.cli.GroupOptions;
import carillon.cli.JobAddress;
import carillon.cli.ListCommand;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Command {@code jobs search}: finds jobs by a part of the name, the state, the last outcome and
 * labels.
 */
@Command(
    name = "search",
    description = "Finds jobs of a collection, and shows their schedules in words.",
    footer = {
      "  carillon jobs search night",
      "  carillon jobs search --collection orders --outcome failed --label team=billing",
    })
final class SearchJobsCommand extends ListCommand {
  /** How the last attempt of a job went. */
  enum Outcome {
    completed,
    failed,
    skipped,
    none
  }

  @Mixin private GroupOptions options;
  @Mixin private LabelOptions labels;

  @Parameters(arity = "0..1", paramLabel = "TEXT", description = "A part of the name.")
  private String text;

  @Option(
      names = "--collection",
      paramLabel = "COLLECTION",
      defaultValue = JobAddress.DEFAULT,
      description = "Default: default.")
  private String collection;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only jobs in this state: ${COMPLETION-CANDIDATES}.")
  private ListJobsCommand.State state;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "Only jobs whose last attempt went like this: ${COMPLETION-CANDIDATES}.")
  private Outcome outcome;

  @Mixin private SortOptions sort;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Maximum number of jobs; 0: all. Default: 100.")
  private int limit;

  SearchJobsCommand() {
    super("job", "state", "last outcome", "next", "+labels", "schedule");
  }

  @Override
  protected ApiClient node() {
    return options.node();
  }

  @Override
  protected int limit() {
    return limit;
  }

  @Override
  protected String path() {
    StringBuilder query =
        new StringBuilder(JobAddress.pathOf(collection)).append("/search?$top=100");
    if (text != null) {
      query.append("&name=").append(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }
    if (state != null) {
      query.append("&state=").append(state);
    }
    if (outcome != null) {
      query.append("&lastOutcome=").append(outcome);
    }
    return query.append(labels.filter(Stream.empty())).append(sort.query()).toString();
  }

  @Override
  protected List<String> row(JsonNode hit) {
    JsonNode job = hit.path("job");
    return List.of(
        job.path("id").asText(),
        job.path("state").asText(),
        hit.path("lastOutcome").asText(),
        time(job.path("status").path("nextExecutionTime")),
        LabelOptions.cell(job),
        hit.path("schedule").asText());
  }
}
