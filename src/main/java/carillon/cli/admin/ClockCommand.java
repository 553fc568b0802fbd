package carillon.cli.admin;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.ApiReply;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code clock}: shows a virtual clock, or sets it forward. */
@Command(
    name = "clock",
    description = {
      "Shows the clock of a node with virtual time, or advances it.",
      "Without an option it shows the time. With one it advances the clock, waits until everything"
          + " due by then has run, and shows each attempt."
    },
    footer = {"  carillon serve --virtual-time=2027-03-27T00:00:00Z", "  carillon clock --by P1D"})
public final class ClockCommand implements Runnable {
  private static final int NOT_FOUND = 404;

  /** Time-out of the request: in the meantime the node may make the calls of years. */
  private static final Duration PATIENCE = Duration.ofHours(12);

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;

  @Option(names = "--by", paramLabel = "DURATION", description = "Duration to advance: P1D, PT90S.")
  private String by;

  @Option(names = "--to", paramLabel = "TIME", description = "Time to advance to.")
  private String to;

  @Override
  public void run() {
    if (by == null && to == null) {
      JsonNode clock = known(options.node().ask("GET", "/clock", new byte[0])).json();
      output.columns("now", "next due");
      output.row(
          clock, List.of(clock.path("now").asText(), clock.path("nextDue").asText("nothing")));
      output.end();
    } else {
      advance();
    }
  }

  /** The reply of a node that has a virtual clock. */
  private static ApiReply known(ApiReply reply) {
    if (reply.status() == NOT_FOUND) {
      throw CommandException.refused(
          "this node has no virtual time; start a node with --virtual-time");
    }
    return reply.orFail();
  }

  private void advance() {
    ObjectNode question = Json.MAPPER.createObjectNode();
    if (by != null) {
      question.put("by", by);
    }
    if (to != null) {
      question.put("to", to);
    }
    byte[] body = question.toString().getBytes(StandardCharsets.UTF_8);
    JsonNode answer =
        known(options.node().patient(PATIENCE).ask("POST", "/clock/advance", body)).json();
    output.columns("at", "job", "occurrence", "attempt", "status");
    answer.path("log").forEach(this::show);
    output.end();
    output.note("The time is now " + answer.path("now").asText() + ".");
  }

  private void show(JsonNode attempt) {
    output.row(
        attempt,
        List.of(
            attempt.path("at").asText(),
            attempt.path("job").asText(),
            attempt.path("occurrence").asText(),
            attempt.path("attempt").asText(),
            attempt.path("status").asText()));
  }
}
