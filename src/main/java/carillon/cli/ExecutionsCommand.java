package carillon.cli;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.ApiReply;
import carillon.cli.client.DurationOption;
import carillon.cli.client.JobAddress;
import carillon.cli.client.QueryString;
import carillon.cli.client.WatchOptions;
import carillon.cli.output.CommandException;
import carillon.cli.output.Output;
import carillon.cli.output.Terminal;
import carillon.cli.output.TextTable;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Command {@code executions}: shows failed, slow or recovered attempts of all jobs, or those in
 * flight.
 */
@Command(
    name = "executions",
    description = {
      "Shows attempts of all jobs that failed, were slow or recovered, newest first.",
      "With --state running: attempts that are in flight now, oldest first.",
      "What an API key may not read is left out. The settings executions.* say what is recorded,"
          + " and for how long."
    },
    subcommands = {ExecutionsCommand.Causes.class, ExecutionsCommand.Retry.class},
    footer = {
      "  carillon executions --since 1h",
      "  carillon executions --state failed --code 5xx",
      "  carillon executions causes --since 1h",
      "  carillon executions --state running",
      "  carillon executions --collection orders --job nightly --limit 0 --json"
    })
public final class ExecutionsCommand extends ListCommand.OfAll {
  /** Outcome of an attempt, or that it is in flight. */
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
        description = "How far to look back, such as 30m or 12h.")
    private String since;

    private boolean isGiven() {
      return Stream.of(collection, job, destination, code, since).anyMatch(Objects::nonNull);
    }

    /**
     * Returns the query of a list.
     *
     * @param state null for any
     * @param top page size
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

  /** Shows why executions failed, a row for each cause. */
  @Command(
      name = "causes",
      description = {
        "Shows why executions failed for good: a row for each destination and cause.",
        "A job is counted with its newest failure. FAILING are jobs that have not succeeded since."
      },
      footer = {
        "  carillon executions causes --since 1h",
        "  carillon executions causes --code 5xx --jobs 1000 --json | jq -r '.jobs[].job'"
      })
  static final class Causes implements Runnable {
    @Mixin private ApiClientOptions options;
    @Mixin private Output output;
    @Mixin private WatchOptions watch;
    @Mixin private Filter filter;
    @ParentCommand private ExecutionsCommand executions;

    @Option(
        names = "--message",
        paramLabel = "TEXT",
        description = "Only failures whose message has this part.")
    private String message;

    @Option(
        names = "--jobs",
        paramLabel = "N",
        defaultValue = "3",
        description = "Maximum number of jobs that are named for a cause, up to 5000. Default: 3.")
    private int jobs;

    @Override
    public void run() {
      executions.requireNoFilter("causes");
      watch.show(output, this::list);
    }

    private void list() {
      output.columns(
          "failing",
          "jobs",
          "executions",
          "code",
          "destination",
          "first",
          "last",
          "message",
          "+job");
      JsonNode causes =
          options
              .node()
              .get(
                  "/executions/causes"
                      + filter.query(null, PAGE).with("message", message).with("jobs", jobs));
      causes.path("value").forEach(this::show);
      output.end();
      int more = causes.path("causeCount").asInt() - causes.path("value").size();
      if (more > 0) {
        output.note("further causes: " + more + "; filter with options such as --code");
      }
      if (causes.path("truncated").asBoolean()) {
        output.note(
            "only the newest "
                + causes.path("executionCount").asText()
                + " failures were examined; filter with --since or others");
      }
    }

    private void show(JsonNode cause) {
      output.row(
          cause,
          List.of(
              cause.path("failingJobCount").asText(),
              cause.path("jobCount").asText(),
              cause.path("executionCount").asText(),
              cause.path("statusCode").asText(cause.path("errorCode").asText()),
              cause.path("destination").asText(),
              output.time(cause.path("firstTime").asText()),
              output.time(cause.path("lastTime").asText()),
              cause.path("message").asText(),
              names(cause)));
    }

    private static String names(JsonNode cause) {
      StringJoiner names = new StringJoiner(", ");
      cause.path("jobs").forEach(job -> names.add(JobAddress.nameOf(job)));
      boolean hasMore = cause.path("jobs").size() < cause.path("jobCount").asInt();
      return hasMore ? names + ", …" : names.toString();
    }
  }

  private void requireNoFilter(String subcommand) {
    if (filter.isGiven() || state != null) {
      throw CommandException.usage("filter options must come after " + subcommand);
    }
  }

  /** Runs jobs with failed executions again. */
  @Command(
      name = "retry",
      description = {
        "Immediately runs jobs again whose executions failed for good.",
        "A finished job is retried, as by jobs retry; any other job runs once more, as by jobs"
            + " run.",
        "Jobs that have succeeded since, run already or are disabled are left out.",
        "Without a filter it runs all of them again, and asks on a terminal."
      },
      footer = {
        "  carillon executions retry --since 1h --code 5xx --dry-run",
        "  carillon executions retry --collection orders --destination api.crm.example:443"
      })
  static final class Retry implements Runnable {
    private static final JobAddress.Converter ADDRESSES = new JobAddress.Converter();
    private static final Set<String> FINISHED = Set.of("completed", "faulted");
    private static final byte[] NOTHING = new byte[0];

    /** Number of history entries that are searched for the newest attempt of the main action. */
    private static final int NEWEST = 10;

    @Mixin private ApiClientOptions options;
    @Mixin private Output output;
    @Mixin private Filter filter;
    @Mixin private Terminal.Confirmation confirmation;
    @ParentCommand private ExecutionsCommand executions;

    @Option(names = "--dry-run", description = "Prints the jobs and runs none.")
    private boolean dryRun;

    private int refused;

    /**
     * Job that still fails.
     *
     * @param isFinished whether it is retried; otherwise it is run again
     */
    private record Failing(JobAddress job, boolean isFinished, String etag) {}

    @Override
    public void run() {
      executions.requireNoFilter("retry");
      ApiClient node = options.node();
      Set<String> jobs = jobs(node);
      List<Failing> failing =
          jobs.stream().map(ADDRESSES::convert).flatMap(job -> failing(node, job)).toList();
      if (!dryRun && !filter.isGiven()) {
        confirmation.require(
            () -> "Run " + TextTable.counted(failing.size(), "job") + " again, all that failed?");
      }
      failing.forEach(job -> again(node, job));
      if (failing.size() < jobs.size()) {
        output.note(
            "carillon: "
                + failing.size()
                + " of "
                + jobs.size()
                + ": the others have succeeded since, run already, are disabled, or are gone");
      }
      if (refused > 0) {
        throw CommandException.refused(refused + " of " + failing.size() + " refused");
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

    /** Returns the job if it must run again. The page Failed of the console has the same rule. */
    private static Stream<Failing> failing(ApiClient node, JobAddress job) {
      ApiReply shown = node.ask("GET", job.path(), NOTHING);
      if (!shown.isSuccess() || isOnItsWay(shown.json()) || !stillFails(node, job)) {
        return Stream.empty();
      }
      boolean isFinished = FINISHED.contains(shown.json().path("state").asText());
      return Stream.of(new Failing(job, isFinished, shown.etag()));
    }

    /** Whether a job was disabled by a client, or is a one-time job that is due. */
    private static boolean isOnItsWay(JsonNode job) {
      String next = job.path("status").path("nextExecutionTime").asText();
      return switch (job.path("state").asText()) {
        case "disabled" -> !job.path("pause").path("reason").asText().equals("failures");
        case "enabled" ->
            !job.has("recurrence")
                && (next.isEmpty()
                    || !Instant.parse(next).isAfter(InstantSource.system().instant()));
        default -> false;
      };
    }

    /** A success of an error action, and a skipped occurrence, do not count. */
    private static boolean stillFails(ApiClient node, JobAddress job) {
      ApiReply history = node.ask("GET", job.path() + "/history?$top=" + NEWEST, NOTHING);
      if (!history.isSuccess()) {
        return false;
      }
      for (JsonNode entry : history.json().path("value")) {
        if (!entry.path("status").asText().equals("skipped")
            && !entry.path("actionName").asText().equals("ErrorAction")) {
          return !entry.path("status").asText().equals("completed");
        }
      }
      return true;
    }

    private void again(ApiClient node, Failing failing) {
      JobAddress job = failing.job;
      if (!dryRun) {
        // The ETag prevents a second run: any run in the meantime has changed the revision.
        ApiReply reply =
            failing.isFinished
                ? node.ask("POST", job.path() + "/retry", NOTHING, "If-Match", failing.etag)
                : node.ask("POST", job.path() + "/run", NOTHING);
        if (!reply.isSuccess()) {
          refused++;
          output.note("carillon: " + job + ": " + reply.refusal());
          return;
        }
      }
      String done = failing.isFinished ? "retried" : "started";
      output.done(job.document(), job.toString(), dryRun ? "to be " + done : done, "");
    }
  }
}
