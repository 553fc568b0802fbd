package carillon.cli.jobs;

import picocli.CommandLine.Option;

/** Options for the order of a list of jobs. */
final class SortOptions {
  /** A column to order by, and its name in the API. */
  enum Column {
    job("id"),
    next("nextExecutionTime"),
    last("lastExecutionTime"),
    executions("executionCount"),
    failed("failureCount"),
    faulted("faultedCount");

    private final String property;

    Column(String property) {
      this.property = property;
    }
  }

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description =
          "Order of the whole list: ${COMPLETION-CANDIDATES}; jobs without a value are last."
              + " Other orders than job are for lists of 10,000 jobs at most. Default: job.")
  private Column column;

  @Option(names = "--desc", description = "The last or largest first.")
  private boolean isDescending;

  /** Returns the order in the form of the API; null for the default order. */
  String order() {
    if (column == null && !isDescending) {
      return null;
    }
    String property = column == null ? Column.job.property : column.property;
    return property + (isDescending ? " desc" : "");
  }
}
