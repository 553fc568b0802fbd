package carillon.cli.admin;

import carillon.cli.ListCommand;
import carillon.cli.client.QueryString;
import carillon.cli.output.CommandException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code audit}: shows who changed what. */
@Command(
    name = "audit",
    description =
        "Shows who changed what, newest first. Needs the role admin for the requested objects.",
    footer = {
      "  carillon audit --limit 50",
      "  carillon audit --object default/default/orders",
      "  carillon audit --filter \"by eq 'deploy'\""
    })
public final class AuditCommand extends ListCommand.OfAll {
  @Option(
      names = "--object",
      paramLabel = "NAME",
      description = "Only changes of this object: SUBSCRIPTION[/GROUP[/COLLECTION[/JOB]]].")
  private String object;

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description = "The filter of the API, instead of --object.")
  private String filter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of entries; 0: all. Default: 20.")
  private int limit;

  public AuditCommand() {
    super("time", "by", "from", "did", "object");
  }

  @Override
  protected int limit() {
    return limit;
  }

  @Override
  protected String path() {
    if (object != null && filter != null) {
      throw CommandException.usage("give one of --object and --filter");
    }
    String wanted = object == null ? filter : "object eq '" + object + "'";
    return "/audit" + new QueryString().with("$top", top()).with("$filter", wanted);
  }

  @Override
  protected List<String> row(JsonNode entry) {
    return List.of(
        time(entry.path("time")),
        entry.path("by").asText(),
        entry.path("from").asText(),
        entry.path("did").asText(),
        entry.path("object").asText());
  }
}
