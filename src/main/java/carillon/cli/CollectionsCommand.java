package carillon.cli;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.JobCells;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import carillon.cli.output.Terminal;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code collections}: shows collections and changes them. */
@Command(
    name = "collections",
    description = "Shows collections of jobs and changes them.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon collections list",
      "  carillon collections put orders",
      "  carillon collections disable orders",
      "  carillon collections delete orders --yes"
    },
    subcommands = {
      CollectionsCommand.Show.class,
      CollectionsCommand.Get.class,
      CollectionsCommand.Put.class,
      CollectionsCommand.Delete.class,
      CollectionsCommand.Enable.class,
      CollectionsCommand.Disable.class
    })
public final class CollectionsCommand {
  private static final byte[] NOTHING_SAID = {'{', '}'};

  @Mixin
  @SuppressWarnings("UnusedVariable") // its commands look for them here
  private GroupOptions options;

  /** Lists collections. */
  @Command(
      name = "list",
      description = "Lists the collections of a group.",
      footer = "  carillon collections list -o name")
  static final class Show extends ListCommand.OfGroup {
    Show() {
      super("collection", "state", "location", "+pause");
    }

    @Override
    protected String path() {
      return JobAddress.collections();
    }

    @Override
    protected List<String> row(JsonNode collection) {
      return List.of(
          collection.path("name").asText(),
          collection.path("state").asText()
              + plan(collection)
              + widerPause(collection.path("waits")),
          collection.path("location").asText(),
          pause(collection));
    }

    /** Client, window and note of the pause of a collection, or of a wider pause. */
    private String pause(JsonNode collection) {
      JsonNode pause = collection.path("pause");
      return pause.isObject()
          ? "by "
              + pause.path("by").asText()
              + " from "
              + time(pause.path("since"))
              + JobCells.untilAndNote(time(pause.path("until")), pause)
          : collection.has("waits") ? waits(collection.get("waits")) : "";
    }

    /** A pause that an enabled collection has is planned. */
    private static String plan(JsonNode collection) {
      boolean isPlanned =
          collection.path("state").asText().equals("enabled") && collection.has("pause");
      return isPlanned ? ", pause planned" : "";
    }

    private static String widerPause(JsonNode waits) {
      return switch (waits.path("for").asText()) {
        case "" -> "";
        case "everything" -> ", everything paused";
        default -> ", group paused";
      };
    }
  }

  /** Command for one collection. */
  abstract static class OfOne extends ResourceCommand {
    @Parameters(index = "0", paramLabel = "COLLECTION", description = "The collection.")
    private String collection;

    private OfOne() {
      super("collection", JobAddress.collections());
    }

    @Override
    final String name() {
      return collection;
    }
  }

  /** Shows a collection. */
  @Command(
      name = "get",
      aliases = "show",
      description = "Shows a collection.",
      footer = "  carillon collections get orders")
  static final class Get extends OfOne {
    @Override
    public void run() {
      showDocument(ask("GET", "").json());
    }
  }

  /** Creates or replaces a collection. */
  @Command(
      name = "put",
      description = "Creates a collection, or replaces its definition; its jobs stay.",
      footer = {
        "  carillon collections put orders",
        "  carillon collections put orders orders.json"
      })
  static final class Put extends OfOne {
    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "FILE",
        description =
            "The document; -: standard input. Default: an enabled collection without limits.")
    private String file;

    @Override
    public void run() {
      byte[] document = file == null ? NOTHING_SAID : new InputFile(file).readDocument();
      ApiReply reply = ask("PUT", "", document);
      if (!output().document(reply.json(), name())) {
        output().line(name() + " " + reply.written());
      }
    }
  }

  /** Deletes a collection. */
  @Command(
      name = "delete",
      description = {
        "Deletes a collection with all its jobs and their history. This cannot be undone.",
        "On a terminal it shows the number of jobs, and asks."
      },
      footer = {
        "  carillon collections delete orders",
        "  carillon collections delete orders --yes         # in a script"
      })
  static final class Delete extends OfOne {
    /** Maximum number of jobs that are counted: each page is a request. */
    private static final int MAX_COUNTED = 1000;

    @Mixin private Terminal.Confirmation confirmation;

    @Override
    public void run() {
      confirmation.require(
          () ->
              "Delete collection "
                  + ask("GET", "").json().path("name").asText()
                  + " with "
                  + jobs()
                  + "?");
      ask("DELETE", "");
      said("deleted");
    }

    private String jobs() {
      AtomicInteger counted = new AtomicInteger();
      node()
          .list(
              JobAddress.jobsOf(name()) + "?$top=" + ListCommand.PAGE,
              job -> counted.incrementAndGet() <= MAX_COUNTED);
      return switch (counted.get()) {
        case 0 -> "no jobs";
        case 1 -> "its job and the history of it";
        case MAX_COUNTED + 1 -> "its jobs, more than " + MAX_COUNTED + ", and their history";
        default -> "its " + counted + " jobs and their history";
      };
    }
  }

  /** Operation on some collections; one that is refused does not stop the others. */
  abstract static class OfSome implements Runnable {
    @Mixin private GroupOptions options;
    @Mixin private Output output;

    @Parameters(arity = "1..*", paramLabel = "COLLECTION", description = "The collections.")
    private List<String> collections;

    private final String operation;
    private final String outcome;

    private OfSome(String operation, String outcome) {
      this.operation = operation;
      this.outcome = outcome;
    }

    @Override
    public void run() {
      collections.forEach(name -> JobAddress.checked("a collection", name));
      ApiClient node = options.node();
      int refused = 0;
      for (String name : collections) {
        String path = JobAddress.pathOf(name) + operation;
        ApiReply reply = node.ask("POST", path, body());
        if (reply.isSuccess()) {
          ObjectNode done = Json.MAPPER.createObjectNode().put("collection", name);
          output.done(done, name, outcome(), more());
        } else if (collections.size() == 1) {
          node.proposeNearest(reply, JobAddress.collections(), name).orFail();
        } else {
          refused++;
          output.note("carillon: " + name + ": " + reply.refusal());
        }
      }
      if (refused > 0) {
        throw CommandException.refused(refused + " of " + collections.size() + " refused");
      }
    }

    /** Result to print. */
    String outcome() {
      return outcome;
    }

    /** Text after the result, for people. */
    String more() {
      return "";
    }

    /** Body of the request. */
    byte[] body() {
      return new byte[0];
    }
  }

  /** Enables collections. */
  @Command(
      name = "enable",
      aliases = "resume",
      description = "Enables collections, so that their jobs run again; cancels a planned pause.",
      footer = "  carillon collections enable orders invoices")
  static final class Enable extends OfSome {
    Enable() {
      super("/enable", "enabled");
    }
  }

  /** Disables collections. */
  @Command(
      name = "disable",
      aliases = "pause",
      description =
          "Disables collections: one-time jobs wait, occurrences of recurring jobs are skipped.",
      footer = {
        "  carillon collections disable orders invoices",
        "  carillon collections disable --note INC-123 --until 2030-01-02T06:00:00Z orders",
        "  carillon collections disable --from 2030-01-02T04:00:00Z --until 2030-01-02T06:00:00Z orders"
      })
  static final class Disable extends OfSome {
    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for people.")
    private String note;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "When they are disabled. Default: now.")
    private String from;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "When they are enabled automatically. Default: never.")
    private String until;

    Disable() {
      super("/disable", "disabled");
    }

    @Override
    String outcome() {
      return from == null ? super.outcome() : "will be disabled at " + from;
    }

    @Override
    String more() {
      return JobCells.untilAndNote(Json.pause(note, until));
    }

    @Override
    byte[] body() {
      ObjectNode pause = Json.pause(note, from, until);
      return pause.isEmpty() ? super.body() : Json.compact(pause).getBytes(StandardCharsets.UTF_8);
    }
  }
}
