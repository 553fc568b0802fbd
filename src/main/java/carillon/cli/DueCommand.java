package carillon.cli;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.client.WatchOptions;
import carillon.cli.output.CommandException;
import carillon.cli.output.Output;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code due}: shows what comes next, of all jobs. */
@Command(
    name = "due",
    description = {
      "Shows what is due next, of all jobs that the key may read.",
      "Occurrences, retries, error actions and the removal of finished jobs, of the 1000 entries"
          + " that are due first. Attempts that a disabled collection holds back are not listed. A"
          + " key for some collections sees only those."
    },
    footer = {"  carillon due", "  carillon due --limit 10 --watch"})
public final class DueCommand implements Runnable {
  private static final int MAX_LIMIT = 1000;

  /** Kind of due work. */
  enum Kind {
    occurrence,
    retry,
    errorAction,
    manual,
    again,
    waiting,
    buffered,
    resume,
    purge
  }

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of entries, 1 to 1000. Default: 20.")
  private int limit;

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      description =
          "Only these: ${COMPLETION-CANDIDATES}; more than one with commas. Default: all but purge,"
              + " the removal of finished jobs.")
  private Set<Kind> kinds = Set.of();

  private FlowCells flows;

  /** When the list may have its first gap; empty for never. */
  private String completeUntil = "";

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw CommandException.usage("--limit must be 1 to " + MAX_LIMIT + ", was " + limit);
    }
    List<JsonNode> due = due();
    Instant now = InstantSource.system().instant();
    flows = new FlowCells(options.node(), output);
    output.columns("due", "in", "kind", "job");
    due.forEach(item -> show(item, now));
    output.end();
    if (!completeUntil.isEmpty()) {
      output.note("carillon: from " + completeUntil + " on, the list may be incomplete.");
    }
  }

  /**
   * Returns the wanted entries. If there are too few among the first ones, it requests the maximum
   * number of entries.
   */
  private List<JsonNode> due() {
    int top = Math.max(limit, ListCommand.PAGE);
    List<JsonNode> all = first(top);
    List<JsonNode> wanted = wanted(all);
    return wanted.size() < limit && all.size() == top ? wanted(first(MAX_LIMIT)) : wanted;
  }

  private List<JsonNode> first(int top) {
    JsonNode page = options.node().get("/due?$top=" + top);
    completeUntil = page.path("completeUntil").asText();
    return StreamSupport.stream(page.path("value").spliterator(), false).toList();
  }

  private List<JsonNode> wanted(List<JsonNode> all) {
    return all.stream().filter(item -> isWanted(item.path("kind").asText())).limit(limit).toList();
  }

  private boolean isWanted(String kind) {
    return kinds.isEmpty()
        ? !kind.equals(Kind.purge.name())
        : kinds.stream().map(Kind::name).anyMatch(kind::equals);
  }

  private void show(JsonNode item, Instant now) {
    Instant at = Instant.parse(item.path("due").asText());
    Duration left = Duration.between(now, at);
    String in =
        left.isNegative()
            ? "overdue " + TextTable.duration(left.negated())
            : TextTable.duration(left);
    output.row(
        item,
        List.of(
            at.toString(),
            flows.waits(item).map(waits -> "waits: " + waits).orElse(in),
            item.path("kind").asText(),
            JobAddress.nameOf(item)));
  }
}
