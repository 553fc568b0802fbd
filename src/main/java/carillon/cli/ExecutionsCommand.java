package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Command {@code executions}: shows what failed, was slow or recovered, of all jobs, or what is in
 * flight.
 */
@Command(
    name = "executions",
    description = {
      "Shows what failed, was slow or recovered, of all jobs, newest first.",
      "With --state running those that nodes have in flight now, the oldest first.",
      "What an API key may not read is left out. The settings executions.* say what is recorded,"
          + " and for how long."
    },
    subcommands = ExecutionsCommand.Retry.class,
    footer = {
      "  carillon executions --since 1h",
      "  carillon executions --state failed --code 5xx",
      "  carillon executions --state running",
      "  carillon executions --collection orders --job nightly --limit 0 --json"
    })
public final class ExecutionsCommand extends ListCommand.OfAll {
  /** What came of an attempt, or that it is in flight. */
  enum State {
    completed,
    slow,
    retrying,
    failed,
    running
  }

  @Mixin private Filter filter;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those with this state: ${COMPLETION-CANDIDATES}.")
  private State state;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of executions; 0: all. Default: 20.")
  private int limit;

  public ExecutionsCommand() {
    super("start", "state", "code", "took", "job", "destination", "+execution", "message");
  }

  @Override
  protected String[] columns() {
    return state == State.running
        ? new String[] {"start", "job", "attempt", "action", "node", "+execution"}
        : super.columns();
  }

  @Override
  protected int limit() {
    return limit;
  }

  @Override
  protected String path() {
    return "/executions" + filter.query(state, top());
  }

  @Override
  protected List<String> row(JsonNode execution) {
    return state == State.running ? running(execution) : ended(execution);
  }

  private List<String> running(JsonNode execution) {
    return List.of(
        time(execution.path("startTime")),
        JobAddress.nameOf(execution),
        execution.path("attempt").asText(),
        execution.path("actionName").asText(),
        execution.path("node").asText(),
        execution.path("executionId").asText());
  }

  private List<String> ended(JsonNode execution) {
    return List.of(
        time(execution.path("startTime")),
        execution.path("state").asText(),
        execution.path("statusCode").asText(),
        TextTable.duration(Duration.ofMillis(execution.path("durationMs").asLong())),
        JobAddress.nameOf(execution),
        execution.path("destination").asText(),
        execution.path("executionId").asText(),
        execution.path("message").asText());
  }

  /** Which executions are meant. */
  static final class Filter {
    @Option(
        names = "--collection",
        paramLabel = "COLLECTION",
        description = "Only those of this collection: COLLECTION or SUBSCRIPTION/GROUP/COLLECTION.")
    private String collection;

    @Option(
        names = "--job",
        paramLabel = "JOB",
        description = "Only those of this job; needs --collection.")
    private String job;

    @Option(
        names = "--destination",
        paramLabel = "HOST:PORT",
        description = "Only calls of this host and port.")
    private String destination;

    @Option(
        names = "--code",
        paramLabel = "CODE",
        description = "Only answers with this status, such as 503, or class, such as 5xx.")
    private String code;

    @Option(
        names = "--since",
        paramLabel = "DURATION",
        description = "Only those of the last while, such as 30m or 12h.")
    private String since;

    private boolean isGiven() {
      return Stream.of(collection, job, destination, code, since).anyMatch(Objects::nonNull);
    }

    /**
     * The query of a list.
     *
     * @param top how many a page is to have
     */
    private QueryString query(State state, int top) {
      return new QueryString()
          .with("$top", top)
          .with("collection", collection)
          .with("job", job)
          .with("state", state)
          .with("destination", destination)
          .with("code", code)
          .with("since", since == null ? null : begin());
    }

    private Instant begin() {
      return InstantSource.system().instant().minus(DurationOption.read("--since", since));
    }
  }

  /** Runs jobs again whose executions were given up. */
  @Command(
      name = "retry",
      description = {
        "Runs the one-time jobs again whose executions failed for good, at once.",
        "Jobs that are no longer faulted are left out; recurring ones go on by themselves.",
        "Without an option that chooses some it means all, and asks on a terminal."
      },
      footer = {
        "  carillon executions retry --since 1h --code 5xx --dry-run",
        "  carillon executions retry --collection orders --destination api.crm.example:443"
      })
  static final class Retry implements Runnable {
    private static final JobAddress.Converter ADDRESSES = new JobAddress.Converter();

    @Mixin private ApiClientOptions options;
    @Mixin private Output output;
    @Mixin private Filter filter;
    @Mixin private Terminal.Confirmation confirmation;
    @ParentCommand private ExecutionsCommand executions;

    @Option(names = "--dry-run", description = "Says which jobs, and runs none.")
    private boolean dryRun;

    private int refused;

    @Override
    public void run() {
      if (executions.filter.isGiven() || executions.state != null) {
        throw CommandException.usage("options that choose executions stand after retry");
      }
      ApiClient node = options.node();
      Set<String> jobs = jobs(node);
      if (!dryRun && !filter.isGiven()) {
        confirmation.require(() -> question(node, jobs));
      }
      jobs.stream().map(ADDRESSES::convert).forEach(job -> retry(node, job));
      if (refused > 0) {
        throw CommandException.refused(refused + " of " + jobs.size() + " refused");
      }
    }

    private Set<String> jobs(ApiClient node) {
      Set<String> jobs = new LinkedHashSet<>();
      node.list(
          "/executions" + filter.query(State.failed, PAGE),
          execution -> {
            jobs.add(JobAddress.nameOf(execution));
            return true;
          });
      return jobs;
    }

    private static String question(ApiClient node, Set<String> jobs) {
      long faulted =
          jobs.stream()
              .map(ADDRESSES::convert)
              .filter(job -> isFaulted(node.ask("GET", job.path(), new byte[0])))
              .count();
      return "Run " + faulted + (faulted == 1 ? " job" : " jobs") + " again, all that failed?";
    }

    private static boolean isFaulted(ApiReply shown) {
      return shown.isSuccess() && shown.json().path("state").asText().equals("faulted");
    }

    private void retry(ApiClient node, JobAddress job) {
      ApiReply shown = node.ask("GET", job.path(), new byte[0]);
      if (!isFaulted(shown)) {
        return; // it is gone, goes on, or ran since
      }
      if (!dryRun) {
        // A run that somebody else has begun meanwhile changed the revision.
        ApiReply reply =
            node.ask("POST", job.path() + "/retry", new byte[0], "If-Match", shown.etag());
        if (!reply.isSuccess()) {
          refused++;
          output.note("carillon: " + job + ": " + reply.refusal());
          return;
        }
      }
      output.done(job.document(), job.toString(), dryRun ? "to be retried" : "retried", "");
    }
  }
}
