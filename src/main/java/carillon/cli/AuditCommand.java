package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code audit}: shows who changed what. */
@Command(
    name = "audit",
    description =
        "Shows who changed what, newest first. Needs the role admin in what is asked for.",
    footer = {
      "  carillon audit --limit 50",
      "  carillon audit --object default/default/orders",
      "  carillon audit --filter \"by eq 'deploy'\""
    })
public final class AuditCommand implements Runnable {
  private static final int PAGE = 100;

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Option(
      names = "--object",
      paramLabel = "NAME",
      description = "Only changes of this: SUBSCRIPTION[/GROUP[/COLLECTION[/JOB]]].")
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

  private int shown;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    shown = 0;
    if (object != null && filter != null) {
      throw CommandException.usage("give one of --object and --filter");
    }
    String wanted = object == null ? filter : "object eq '" + object + "'";
    output.columns("time", "by", "from", "did", "object");
    List<String> query = new ArrayList<>();
    query.add("$top=" + (limit > 0 ? Math.min(limit, PAGE) : PAGE));
    if (wanted != null) {
      query.add("$filter=" + URLEncoder.encode(wanted, StandardCharsets.UTF_8));
    }
    options.node().list("/audit?" + String.join("&", query), this::show);
    output.end();
  }

  private boolean show(JsonNode entry) {
    output.row(
        entry,
        List.of(
            output.time(entry.path("time").asText()),
            entry.path("by").asText(),
            entry.path("from").asText(),
            entry.path("did").asText(),
            entry.path("object").asText()));
    shown++;
    return shown != limit;
  }
}
