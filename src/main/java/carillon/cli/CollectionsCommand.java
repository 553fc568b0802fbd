package carillon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      super("collection", "state", "location");
    }

    @Override
    protected String path() {
      return JobAddress.collections();
    }

    @Override
    protected List<String> row(JsonNode collection) {
      return List.of(
          collection.path("name").asText(),
          collection.path("state").asText(),
          collection.path("location").asText());
    }
  }

  /** What is done with one collection. */
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
      byte[] document = file == null ? NOTHING_SAID : new InputFile(file).read();
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
        "Deletes a collection with all its jobs and their history; nothing brings them back.",
        "On a terminal it says how many there are, and asks."
      },
      footer = {
        "  carillon collections delete orders",
        "  carillon collections delete orders --yes         # in a script"
      })
  static final class Delete extends OfOne {
    /** More jobs are not counted: each page is a request. */
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

  /** Enables a collection. */
  @Command(
      name = "enable",
      description = "Lets the jobs of a collection run again.",
      footer = "  carillon collections enable orders")
  static final class Enable extends OfOne {
    @Override
    public void run() {
      ask("POST", "/enable");
      said("enabled");
    }
  }

  /** Disables a collection. */
  @Command(
      name = "disable",
      description = "Lets no job of a collection run: one-time jobs wait, occurrences are skipped.",
      footer = "  carillon collections disable orders")
  static final class Disable extends OfOne {
    @Override
    public void run() {
      ask("POST", "/disable");
      said("disabled");
    }
  }
}
