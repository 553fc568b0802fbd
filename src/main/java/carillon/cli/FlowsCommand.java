package carillon.cli;

import carillon.cli.client.ApiReply;
import carillon.cli.client.DurationOption;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.output.CommandException;
import carillon.cli.output.JobCells;
import carillon.cli.output.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code flows}: shows flows and changes them. */
@Command(
    name = "flows",
    description = {
      "Shows and changes flows: limits that calls share.",
      "The group is default, unless --subscription and --group name another."
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon flows list",
      "  carillon flows put crm --match api.crm.example --parallelism 10 --rate 100/1s",
      "  carillon flows pause crm --note 'ticket 4711' --until 2030-01-02T06:00:00Z",
      "  carillon flows log crm"
    },
    subcommands = {
      FlowsCommand.ListFlows.class,
      FlowsCommand.Get.class,
      FlowsCommand.Put.class,
      FlowsCommand.Pause.class,
      FlowsCommand.Resume.class,
      FlowsCommand.Reset.class,
      FlowsCommand.Delete.class,
      FlowsCommand.Log.class
    })
public final class FlowsCommand {
  /** The path of all flows. */
  public static final String PATH = "/flows";

  @Mixin
  @SuppressWarnings("UnusedVariable") // its commands look for them here
  private GroupOptions options;

  /** Lists flows. */
  @Command(
      name = "list",
      description = "Lists flows by name, with their limits.",
      footer = "  carillon flows list")
  static final class ListFlows extends ListCommand.OfGroup {
    ListFlows() {
      super("flow", "rate", "parallelism", "breaker", "paused", "waiting", "+in flight", "match");
    }

    @Override
    protected String path() {
      return PATH;
    }

    /**
     * Returns the state of a flow, which lists of the API leave out. Nothing if the output is not
     * for people.
     */
    private JsonNode state(String flow) {
      if (!isForPeople()) {
        return Json.MAPPER.missingNode();
      }
      ApiReply reply = node().ask("GET", PATH + "/" + flow, new byte[0]);
      return reply.isSuccess() ? reply.json().path("state") : Json.MAPPER.missingNode();
    }

    @Override
    protected List<String> row(JsonNode flow) {
      JsonNode rate = flow.path("rate");
      JsonNode match = flow.path("match");
      JsonNode state = state(flow.path("name").asText());
      return List.of(
          flow.path("name").asText(),
          rate.isMissingNode()
              ? ""
              : rate.path("limit").asText() + " in " + rate.path("per").asText(),
          flow.path("parallelism").asText(),
          flow.has("breaker") ? state.path("breaker").asText("yes") : "",
          flow.has("pause") ? flow.path("pause").path("until").asText("until resumed") : "",
          state.path("waiting").asText(),
          state.path("inFlight").asText(),
          match.path(0).asText() + (match.size() > 1 ? ", " + (match.size() - 1) + " more" : ""));
    }
  }

  /** Command about one flow. */
  abstract static class OfFlow extends ResourceCommand {
    @Parameters(index = "0", paramLabel = "FLOW", description = "The flow.")
    private String flow;

    private OfFlow() {
      super("flow", PATH);
    }

    @Override
    final String name() {
      return flow;
    }
  }

  /** Shows a flow. */
  @Command(
      name = "get",
      aliases = "show",
      description = "Shows a flow: its limits, calls in flight and waiting calls.",
      footer = {
        "  carillon flows get crm",
        "  carillon flows get crm --json | jq '.parallelism = 5' | carillon flows put crm"
      })
  static final class Get extends OfFlow {
    @Override
    public void run() {
      showDocument(ask("GET", "").json());
    }
  }

  /** Creates or replaces a flow. */
  @Command(
      name = "put",
      description = {
        "Creates a flow, or replaces its limits; a pause stays.",
        "The limits come from options, or from a document in the form of the API, as get -o json"
            + " or -o yaml prints it."
      },
      footer = {
        "  carillon flows put crm --match api.crm.example --parallelism 10 --rate 100/1s --breaker 10",
        "  carillon flows put crm crm.json"
      })
  static final class Put extends OfFlow {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "FILE",
        description = "The document. Default, without options, and -: standard input.")
    private String file;

    @ArgGroup(exclusive = false)
    private Limits limits;

    @Override
    public void run() {
      if (limits != null && file != null) {
        throw CommandException.usage("give options or a document, not both");
      }
      byte[] document =
          limits == null
              ? new InputFile(file == null ? InputFile.STANDARD : file).readDocument()
              : limits.document();
      said(ask("PUT", "", document).written());
    }

    /** Limits of a flow, as options. */
    static final class Limits {
      @Option(
          names = "--match",
          paramLabel = "HOST",
          description =
              "A host whose calls pass the flow, such as api.crm.example or *.crm.example; again for"
                  + " others.")
      private List<String> match = List.of();

      @Option(
          names = "--collection",
          paramLabel = "COLLECTION",
          description =
              "A collection whose jobs may name the flow, whatever they call: orders, orders-* or *;"
                  + " again for others.")
      private List<String> collections = List.of();

      @Option(
          names = "--parallelism",
          paramLabel = "N",
          description = "Maximum number of concurrent calls, over all nodes.")
      private Integer parallelism;

      @Option(
          names = "--rate",
          paramLabel = "N[/DURATION]",
          description =
              "Maximum number of calls that begin in a time: 100/1s, 6000/1m. Default time: one"
                  + " second.")
      private String rate;

      @Option(
          names = "--burst",
          paramLabel = "N",
          description =
              "Maximum number of calls that begin together after a rest; goes with --rate.")
      private Integer burst;

      @Option(
          names = "--breaker",
          paramLabel = "N",
          description = "Number of failures in a row that stops all calls for a while.")
      private Integer breaker;

      private byte[] document() {
        ObjectNode flow = Json.MAPPER.createObjectNode();
        if (!match.isEmpty()) {
          match.forEach(flow.putArray("match")::add);
        }
        if (!collections.isEmpty()) {
          collections.forEach(flow.putArray("collections")::add);
        }
        if (parallelism != null) {
          flow.put("parallelism", parallelism);
        }
        if (rate != null) {
          addRate(flow.putObject("rate"));
        } else if (burst != null) {
          throw CommandException.usage("--burst goes with --rate");
        }
        if (breaker != null) {
          flow.putObject("breaker").put("consecutive", breaker);
        }
        return Json.compact(flow).getBytes(StandardCharsets.UTF_8);
      }

      private void addRate(ObjectNode document) {
        String[] parts = rate.split("/", 2);
        if (!parts[0].matches("\\d{1,9}")) {
          throw CommandException.usage("--rate must be such as 100/1s, was '" + rate + "'");
        }
        document.put("limit", Integer.parseInt(parts[0]));
        if (parts.length > 1) {
          document.put("per", DurationOption.read("--rate", parts[1]).toString());
        }
        if (burst != null) {
          document.put("burst", burst);
        }
      }
    }
  }

  /** Stops the calls of a flow. */
  @Command(
      name = "pause",
      description = "Stops the calls of a flow: calls in flight end, all others wait.",
      footer = {
        "  carillon flows pause crm",
        "  carillon flows pause crm --note 'ticket 4711' --until 2030-01-02T06:00:00Z"
      })
  static final class Pause extends OfFlow {
    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for people.")
    private String note;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "When the calls continue automatically. Default: after resume.")
    private String until;

    @Override
    public void run() {
      ObjectNode pause = Json.pause(note, until);
      ask("POST", "/pause", Json.compact(pause).getBytes(StandardCharsets.UTF_8));
      said("paused", JobCells.untilAndNote(pause));
    }
  }

  /** Resumes the calls of a flow. */
  @Command(
      name = "resume",
      description = "Resumes the calls of a paused flow, within its limits.",
      footer = "  carillon flows resume crm")
  static final class Resume extends OfFlow {
    @Override
    public void run() {
      ask("POST", "/resume");
      said("resumed");
    }
  }

  /** Resets the limits of a flow. */
  @Command(
      name = "reset",
      description = "Fills the bucket of a flow, closes its breaker and forgets a Retry-After.",
      footer = "  carillon flows reset crm")
  static final class Reset extends OfFlow {
    @Override
    public void run() {
      ask("POST", "/reset");
      said("reset");
    }
  }

  /** Deletes a flow. */
  @Command(
      name = "delete",
      description = "Deletes a flow; calls that wait for it continue without limits.",
      footer = "  carillon flows delete crm")
  static final class Delete extends OfFlow {
    @Override
    public void run() {
      saidDeleted(ask("DELETE", ""));
    }
  }

  /** Shows what happened to a flow. */
  @Command(
      name = "log",
      description =
          "Shows the last changes of the breaker and the pause of a flow, the newest first.",
      footer = "  carillon flows log crm")
  static final class Log extends OfFlow {
    @Override
    public void run() {
      output().columns("at", "what", "by", "destination", "why", "until");
      ask("GET", "/log").json().path("value").forEach(this::show);
      output().end();
    }

    private void show(JsonNode event) {
      output()
          .row(
              event,
              List.of(
                  output().time(event.path("at").asText()),
                  event.path("what").asText(),
                  event.path("by").asText(),
                  event.path("destination").asText(),
                  event.path("reason").asText(event.path("note").asText()),
                  event.path("until").asText()));
    }
  }
}
