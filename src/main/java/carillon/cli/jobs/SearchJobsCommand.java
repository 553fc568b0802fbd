package carillon.cli.jobs;

import carillon.cli.ListCommand;
import carillon.cli.client.JobAddress;
import carillon.cli.client.QueryString;
import carillon.cli.output.CommandException;
import carillon.cli.output.JobCells;
import com.fasterxml.jackson.databind.JsonNode;
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
    description = "Finds jobs of a collection, or of all, and shows their schedules in words.",
    footer = {
      "  carillon jobs search night",
      "  carillon jobs search --all-collections --state faulted",
      "  carillon jobs search --collection orders --outcome failed --label team=billing",
    })
final class SearchJobsCommand extends ListCommand.OfGroup {
  /** Outcome of the last attempt of a job. */
  enum Outcome {
    completed,
    failed,
    skipped,
    none
  }

  @Mixin private LabelOptions labels;

  @Parameters(arity = "0..1", paramLabel = "TEXT", description = "A part of the name.")
  private String text;

  @Option(names = "--collection", paramLabel = "COLLECTION", description = "Default: default.")
  private String collection;

  @Option(
      names = {"-A", "--all-collections"},
      description = "In all collections of the group that the key may read.")
  private boolean isOfAll;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only jobs in this state: ${COMPLETION-CANDIDATES}.")
  private ListJobsCommand.State state;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "Only jobs with this outcome of the last attempt: ${COMPLETION-CANDIDATES}.")
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
  protected int limit() {
    return limit;
  }

  /** Returns the path of the search. */
  private String place() {
    if (!isOfAll) {
      return JobAddress.pathOf(collection == null ? JobAddress.DEFAULT : collection);
    }
    if (collection != null) {
      throw CommandException.usage("--all-collections does not go with --collection");
    }
    if (sort.order() != null) {
      throw CommandException.usage("--sort and --desc are for one collection");
    }
    return "";
  }

  @Override
  protected String path() {
    return place()
        + "/search"
        + new QueryString()
            .with("$top", PAGE)
            .with("name", text)
            .with("state", state)
            .with("lastOutcome", outcome)
            .with("$filter", labels.filter(Stream.empty()))
            .with("$orderby", sort.order());
  }

  @Override
  protected List<String> row(JsonNode hit) {
    JsonNode job = hit.path("job");
    String name = job.path("id").asText();
    return List.of(
        isOfAll ? hit.path("collection").asText() + "/" + name : name,
        JobCells.state(job),
        hit.path("lastOutcome").asText(),
        next(job),
        LabelOptions.cell(job),
        hit.path("schedule").asText());
  }
}
