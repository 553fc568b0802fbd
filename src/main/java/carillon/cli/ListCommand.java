package carillon.cli;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.WatchOptions;
import carillon.cli.output.CommandException;
import carillon.cli.output.JobCells;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Mixin;

/** Command that shows a list of a node, a row for each item, once or again and again. */
public abstract class ListCommand implements Runnable {
  /** Maximum number of items on a page of the API. */
  protected static final int PAGE = 100;

  /** List command for items of a group. */
  public abstract static class OfGroup extends ListCommand {
    protected OfGroup(String... columns) {
      super(new GroupOptions(), columns);
    }
  }

  /** List command for items of all groups, or of none. */
  public abstract static class OfAll extends ListCommand {
    protected OfAll(String... columns) {
      super(new ApiClientOptions(), columns);
    }
  }

  @Mixin private Output output;
  @Mixin private WatchOptions watch;
  @Mixin private final ApiClientOptions options;

  private final String[] columns;
  private int shown;

  /**
   * A command.
   *
   * @param columns see {@link Output#columns}
   */
  private ListCommand(ApiClientOptions options, String... columns) {
    this.options = options;
    this.columns = columns;
  }

  @Override
  public final void run() {
    checkLimit(limit());
    watch.show(output, this::list);
  }

  static void checkLimit(int limit) {
    if (limit < 0) {
      throw CommandException.usage("--limit must be 0, for all, or more, was " + limit);
    }
  }

  private void list() {
    shown = 0;
    String path = path();
    output.columns(columns());
    node().list(path, this::show);
    output.end();
  }

  private boolean show(JsonNode item) {
    output.row(item, row(item));
    shown++;
    return shown != limit() && (shown % PAGE != 0 || output.isOpen());
  }

  /** The columns, where options choose others. */
  protected String[] columns() {
    return columns;
  }

  /** The node that is asked. */
  final ApiClient node() {
    return options.node();
  }

  /** Path and query of the list. Fails when an option is wrong. */
  protected abstract String path();

  /** The cells of an item, one for each column. */
  protected abstract List<String> row(JsonNode item);

  /** Whether people read the list, and not a program. */
  final boolean isForPeople() {
    return output.isForPeople();
  }

  /** How many items are wanted; 0 for all. */
  protected int limit() {
    return 0;
  }

  /** Returns the page size of API requests. */
  protected final int top() {
    return limit() > 0 ? Math.min(limit(), PAGE) : PAGE;
  }

  /** Returns when a job runs next, or the reason if it waits. */
  protected final String next(JsonNode job) {
    return JobCells.next(job, output);
  }

  /** The pause that an item waits for. */
  final String waits(JsonNode waits) {
    return JobCells.waits(waits, output);
  }

  /** An instant as the reader wants it. */
  protected final String time(JsonNode instant) {
    return output.time(instant.asText());
  }
}
