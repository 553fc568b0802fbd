package carillon.cli.jobs;

import carillon.cli.GroupOptions;
import carillon.cli.JobAddress;
import carillon.cli.Output;
import carillon.cli.WatchOptions;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Command {@code jobs search}: finds jobs by a part of the name, the state and the last outcome.
 */
@Command(
    name = "search",
    description = "Finds jobs of a collection, and shows their schedules in words.",
    footer = {
      "  carillon jobs search night",
      "  carillon jobs search --collection orders --outcome failed",
    })
final class SearchJobsCommand implements Runnable {
  /** How the last attempt of a job went. */
  enum Outcome {
    completed,
    failed,
    skipped,
    none
  }

  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

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

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Maximum number of jobs; 0: all. Default: 100.")
  private int limit;

  private int shown;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    shown = 0;
    StringBuilder query = new StringBuilder("?$top=100");
    if (text != null) {
      query.append("&name=").append(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }
    if (state != null) {
      query.append("&state=").append(state);
    }
    if (outcome != null) {
      query.append("&lastOutcome=").append(outcome);
    }
    output.columns("job", "state", "last outcome", "next", "schedule");
    options.node().list(JobAddress.pathOf(collection) + "/search" + query, this::show);
    output.end();
  }

  private boolean show(JsonNode hit) {
    JsonNode job = hit.path("job");
    output.row(
        hit,
        List.of(
            job.path("id").asText(),
            job.path("state").asText(),
            hit.path("lastOutcome").asText(),
            output.time(job.path("status").path("nextExecutionTime").asText()),
            hit.path("schedule").asText()));
    shown++;
    return shown != limit;
  }
}
