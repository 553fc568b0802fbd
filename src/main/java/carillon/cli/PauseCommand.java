package carillon.cli;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that pauses everything or a group, or resumes it. */
public abstract class PauseCommand implements Runnable {
  @Mixin private GroupOptions options;
  @Mixin private Output output;

  @Option(names = "--all", description = "Everything on this installation.")
  private boolean isEverything;

  private final String operation;
  private final String outcome;

  private PauseCommand(String operation, String outcome) {
    this.operation = operation;
    this.outcome = outcome;
  }

  @Override
  public void run() {
    if (isEverything == options.typedGroup().isPresent()) {
      throw CommandException.usage("give --all, or a group with --group");
    }
    String scope = options.typedGroup().orElse("");
    ApiReply reply = options.wholeNode().ask("POST", scope + operation, body()).orFail();
    String name = isEverything ? "everything" : scope.substring(JobAddress.GROUPS.length());
    JsonNode pause = reply.json().path("pause");
    ObjectNode done = Json.MAPPER.createObjectNode().put("scope", name);
    if (pause.isObject()) {
      done.set("pause", pause);
    }
    output.done(done, name, outcome(reply), more(pause));
    if (!reply.warning().isEmpty()) {
      output.note("carillon: " + reply.warning());
    }
  }

  /** Result to print. */
  String outcome(ApiReply reply) {
    return outcome;
  }

  /**
   * Returns the text after the result, for people.
   *
   * @param pause current pause; missing if there is none
   */
  abstract String more(JsonNode pause);

  /** Body of the request. */
  byte[] body() {
    return new byte[0];
  }

  /** Pauses everything or a group. */
  @Command(
      name = "pause",
      description = {
        "Pauses everything or a group: none of its jobs runs.",
        "One-time jobs and requested runs wait, occurrences of recurring jobs are skipped."
      },
      footer = {
        "  carillon pause --all --note INC-123",
        "  carillon pause --group sales --from 2030-01-02T02:00:00Z --until 2030-01-02T06:00:00Z"
      })
  public static final class Pause extends PauseCommand {
    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for people.")
    private String note;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "When the pause begins. Default: now.")
    private String from;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "When the pause ends automatically. Default: never.")
    private String until;

    /** The command. */
    public Pause() {
      super("/pause", "paused");
    }

    @Override
    String outcome(ApiReply reply) {
      return from == null ? super.outcome(reply) : "will be paused from " + from;
    }

    @Override
    String more(JsonNode pause) {
      boolean isBehind = from != null && pause.has("planned");
      return JobCells.untilAndNote(isBehind ? pause.get("planned") : pause);
    }

    @Override
    byte[] body() {
      ObjectNode pause = Json.pause(note, from, until);
      return pause.isEmpty() ? super.body() : Json.compact(pause).getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Resumes everything or a group. */
  @Command(
      name = "resume",
      description = {
        "Ends the pause of everything or of a group, or cancels a planned one.",
        "Pauses of groups, collections and jobs within it stay."
      },
      footer = {"  carillon resume --all", "  carillon resume --group sales"})
  public static final class Resume extends PauseCommand {
    /** The command. */
    public Resume() {
      super("/resume", "resumed");
    }

    @Override
    String more(JsonNode pause) {
      return pause.isObject()
          ? "; the pause planned from " + pause.path("since").asText() + " stays"
          : "";
    }

    /** Returns the outcome. The node warns if there was no pause. */
    @Override
    String outcome(ApiReply reply) {
      return reply.warning().isEmpty() ? super.outcome(reply) : "was not paused";
    }
  }
}
