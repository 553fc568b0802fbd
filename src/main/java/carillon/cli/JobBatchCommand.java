package carillon.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Asks the node for the same change of each of some jobs; one that is refused does not keep the
 * others from it.
 */
abstract class JobBatchCommand implements Runnable {
  @Mixin private GroupOptions options;
  @Mixin private Output output;

  @Parameters(
      arity = "1..*",
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The jobs.")
  private List<JobAddress> jobs;

  private final String method;
  private final String operation;
  private final String outcome;

  /**
   * A command.
   *
   * @param operation what follows the path of a job
   * @param outcome what has been done, in a word
   */
  private JobBatchCommand(String method, String operation, String outcome) {
    this.method = method;
    this.operation = operation;
    this.outcome = outcome;
  }

  @Override
  public void run() {
    ApiClient node = options.node();
    int refused = 0;
    for (JobAddress job : jobs) {
      ApiReply reply = node.ask(method, job.path() + operation, new byte[0]);
      if (reply.isSuccess()) {
        said(job);
      } else {
        refused++;
        output.note("carillon: " + job + ": " + reply.refusal());
      }
    }
    if (refused > 0) {
      throw CommandException.refused(refused + " of " + jobs.size() + " refused");
    }
  }

  private void said(JobAddress job) {
    output.line(
        output.isJson()
            ? Json.compact(
                Json.MAPPER
                    .createObjectNode()
                    .put("collection", job.collection())
                    .put("job", job.job())
                    .put("outcome", outcome))
            : job + " " + outcome);
  }

  /** Deletes jobs. */
  @Command(
      name = "delete",
      description = "Deletes jobs, with their history. What is in flight ends.",
      footer = "  carillon jobs delete hello orders/nightly")
  static final class Delete extends JobBatchCommand {
    Delete() {
      super("DELETE", "", "deleted");
    }
  }

  /** Runs jobs outside their schedule. */
  @Command(
      name = "run",
      description = "Runs jobs once, now; their schedule stays as it is.",
      footer = "  carillon jobs run orders/nightly")
  static final class Run extends JobBatchCommand {
    Run() {
      super("POST", "/run", "started");
    }
  }

  /** Ends the pause of jobs. */
  @Command(
      name = "enable",
      description = "Ends the pause of jobs: the next occurrence is computed from now.",
      footer = "  carillon jobs enable orders/nightly")
  static final class Enable extends JobBatchCommand {
    Enable() {
      super("POST", "/enable", "enabled");
    }
  }

  /** Pauses jobs. */
  @Command(
      name = "disable",
      description = "Pauses jobs until they are enabled; what lies in the pause is not made up.",
      footer = "  carillon jobs disable orders/nightly")
  static final class Disable extends JobBatchCommand {
    Disable() {
      super("POST", "/disable", "disabled");
    }
  }
}
