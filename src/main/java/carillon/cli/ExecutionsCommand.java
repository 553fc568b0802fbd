package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    footer = {
      "  carillon executions --since 1h",
      "  carillon executions --state failed --code 5xx",
      "  carillon executions --state running",
      "  carillon executions --collection orders --job nightly --limit 0 --json"
    })
public final class ExecutionsCommand implements Runnable {
  /** What came of an attempt, or that it is in flight. */
  enum State {
    completed,
    slow,
    retrying,
    failed,
    running
  }

  private static final int PAGE = 100;

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;
  @Mixin private WatchOptions watch;

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
      names = "--state",
      paramLabel = "STATE",
      description = "Only those with this state: ${COMPLETION-CANDIDATES}.")
  private State state;

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

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Maximum number of executions; 0: all. Default: 20.")
  private int limit;

  private int shown;

  @Override
  public void run() {
    watch.show(output, this::list);
  }

  private void list() {
    shown = 0;
    if (state == State.running) {
      output.columns("start", "job", "attempt", "action", "node", "+execution");
    } else {
      output.columns(
          "start", "state", "code", "took", "job", "destination", "+execution", "message");
    }
    options.node().list("/executions" + query(), this::show);
    output.end();
  }

  private String query() {
    StringBuilder query =
        new StringBuilder("?$top=").append(limit > 0 ? Math.min(limit, PAGE) : PAGE);
    add(query, "collection", collection);
    add(query, "job", job);
    add(query, "state", state);
    add(query, "destination", destination);
    add(query, "code", code);
    if (since != null) {
      Duration past = DurationOption.read("--since", since);
      add(query, "since", InstantSource.system().instant().minus(past));
    }
    return query.toString();
  }

  private static void add(StringBuilder query, String name, Object value) {
    if (value != null) {
      String encoded = URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
      query.append('&').append(name).append('=').append(encoded);
    }
  }

  private boolean show(JsonNode execution) {
    output.row(execution, state == State.running ? running(execution) : ended(execution));
    shown++;
    return shown != limit;
  }

  private List<String> running(JsonNode execution) {
    return List.of(
        output.time(execution.path("startTime").asText()),
        JobAddress.nameOf(execution),
        execution.path("attempt").asText(),
        execution.path("actionName").asText(),
        execution.path("node").asText(),
        execution.path("executionId").asText());
  }

  private List<String> ended(JsonNode execution) {
    return List.of(
        output.time(execution.path("startTime").asText()),
        execution.path("state").asText(),
        execution.path("statusCode").asText(),
        TextTable.duration(Duration.ofMillis(execution.path("durationMs").asLong())),
        JobAddress.nameOf(execution),
        execution.path("destination").asText(),
        execution.path("executionId").asText(),
        execution.path("message").asText());
  }
}
