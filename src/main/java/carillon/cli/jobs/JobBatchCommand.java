package carillon.cli.jobs;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.JobCells;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Command that makes the same change to several jobs. A refusal for one job does not stop the
 * others.
 */
abstract class JobBatchCommand implements Runnable {
  private static final int ACCEPTED = 202;

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
   * Creates a command.
   *
   * @param operation suffix of a job's path
   * @param outcome one word for the result
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
      ApiReply reply = node.ask(method, job.path() + operation + query(), body());
      if (reply.isSuccess()) {
        ObjectNode done = job.document();
        output.done(done, job.toString(), outcome, more(reply, done));
      } else {
        refused++;
        output.note("carillon: " + job + ": " + reply.refusal());
      }
    }
    if (refused > 0) {
      throw CommandException.refused(refused + " of " + jobs.size() + " refused");
    }
  }

  /**
   * Returns the id of the execution and the pause that it waits for, for people. Empty where no
   * execution was added.
   *
   * @param done gets it for programs
   */
  String more(ApiReply reply, ObjectNode done) {
    JsonNode answer = reply.status() == ACCEPTED ? reply.json() : Json.MAPPER.createObjectNode();
    if (!answer.has("executionId")) {
      return "";
    }
    String execution = answer.path("executionId").asText();
    done.put("executionId", execution);
    if (!answer.has("waits")) {
      return ", execution " + execution;
    }
    done.set("waits", answer.get("waits"));
    return ", execution " + execution + "; waits: " + JobCells.waits(answer.get("waits"), output);
  }

  /** Returns the query after the operation. */
  String query() {
    return "";
  }

  /** Returns the body of the request. */
  byte[] body() {
    return new byte[0];
  }

  /** Deletes jobs. */
  @Command(
      name = "delete",
      description = "Deletes jobs, with their history. Calls in flight are not cut off.",
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
      footer = {
        "  carillon jobs run orders/nightly",
        "  carillon jobs run orders/nightly --overlap skip"
      })
  static final class Run extends JobBatchCommand {
    /** Choice whether it runs concurrently with another execution. */
    enum OverlapChoice {
      allowAll,
      skip
    }

    @Option(
        names = "--overlap",
        paramLabel = "WORD",
        description =
            "skip: refused if another execution is under way. ${COMPLETION-CANDIDATES}. Default:"
                + " allowAll.")
    private OverlapChoice overlap;

    Run() {
      super("POST", "/run", "started");
    }

    @Override
    String query() {
      return overlap == null ? "" : "?overlap=" + overlap;
    }
  }

  /** Runs finished jobs again. */
  @Command(
      name = "retry",
      description = "Immediately runs completed or faulted one-time jobs again.",
      footer = "  carillon jobs retry orders/o-17")
  static final class Retry extends JobBatchCommand {
    Retry() {
      super("POST", "/retry", "retried");
    }
  }

  /** Ends the pause of jobs. */
  @Command(
      name = "enable",
      aliases = "resume",
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
      aliases = "pause",
      description =
          "Pauses jobs until they are enabled; occurrences in the pause do not run later.",
      footer = {
        "  carillon jobs disable orders/nightly",
        "  carillon jobs disable --note 'vendor down' --until 2030-01-02T06:00:00Z orders/nightly"
      })
  static final class Disable extends JobBatchCommand {
    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for people.")
    private String note;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "When they are enabled automatically. Default: never.")
    private String until;

    Disable() {
      super("POST", "/disable", "disabled");
    }

    @Override
    String more(ApiReply reply, ObjectNode done) {
      return JobCells.untilAndNote(Json.pause(note, until));
    }

    @Override
    byte[] body() {
      ObjectNode pause = Json.pause(note, until);
      return pause.isEmpty() ? super.body() : Json.compact(pause).getBytes(StandardCharsets.UTF_8);
    }
  }
}
