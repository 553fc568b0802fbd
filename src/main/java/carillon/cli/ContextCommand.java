package carillon.cli;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.Contexts;
import carillon.cli.client.Contexts.Server;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command {@code context}: shows the servers that have a name, and changes them. */
@Command(
    name = "context",
    aliases = "contexts",
    description = {
      "Stores servers and their API keys under names, and chooses the one that commands use.",
      "They are in ~/.config/carillon/contexts.yaml, which only you can read; keys are never"
          + " shown. --context NAME chooses another for one command."
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon context set prod --url https://carillon.example --key-file deploy.key",
      "  carillon context use prod",
      "  carillon context list",
      "  carillon --context test jobs list"
    },
    subcommands = {
      ContextCommand.ListContexts.class,
      ContextCommand.Use.class,
      ContextCommand.SetContext.class,
      ContextCommand.Delete.class
    })
public final class ContextCommand {
  /** Lists contexts. */
  @Command(
      name = "list",
      description = "Lists contexts by name, without their keys.",
      footer = "  carillon context list")
  static final class ListContexts implements Runnable {
    @Mixin private ApiClientOptions options;
    @Mixin private Output output;

    @Override
    public void run() {
      Contexts contexts = options.contexts();
      output.columns("context", "in use", "url", "key", "+ca", "group");
      contexts.servers().forEach((name, server) -> show(name, server, contexts.isCurrent(name)));
      output.end();
    }

    private void show(String name, Server server, boolean isCurrent) {
      ObjectNode document =
          Json.MAPPER.createObjectNode().put("context", name).put("inUse", isCurrent);
      server.url().ifPresent(url -> document.put("url", url));
      document.put("hasKey", server.key().isPresent());
      server.ca().ifPresent(ca -> document.put("ca", ca));
      server.subscription().ifPresent(subscription -> document.put("subscription", subscription));
      server.group().ifPresent(group -> document.put("group", group));
      output.row(
          document,
          List.of(
              name,
              isCurrent ? "yes" : "",
              server.url().orElse(""),
              server.key().isPresent() ? "yes" : "",
              server.ca().orElse(""),
              server.subscription().orElse("default") + "/" + server.group().orElse("default")));
    }
  }

  /** Command for one context. */
  abstract static class OfContext implements Runnable {
    @Mixin GroupOptions options;
    @Mixin private Output output;

    @Parameters(paramLabel = "CONTEXT", description = "The context.")
    private String context;

    @Override
    public void run() {
      Contexts contexts = options.contexts();
      String outcome = change(contexts, context);
      contexts.write();
      ObjectNode done = Json.MAPPER.createObjectNode().put("context", context);
      boolean isNewlyUsed = contexts.isCurrent(context) && !outcome.equals("in use");
      output.done(done, context, outcome, isNewlyUsed ? ", in use" : "");
    }

    /** Changes the contexts, and returns the outcome in a word. */
    abstract String change(Contexts contexts, String name);
  }

  /** Takes a context into use. */
  @Command(
      name = "use",
      description = "Chooses the context that commands use from now on.",
      footer = "  carillon context use prod")
  static final class Use extends OfContext {
    @Override
    String change(Contexts contexts, String name) {
      contexts.use(name);
      return "in use";
    }
  }

  /** Creates or changes a context. */
  @Command(
      name = "set",
      aliases = "add",
      description = {
        "Creates a context, or changes its address, key, certificates or group.",
        "The key is copied into the file of contexts. The first context is in use immediately."
      },
      footer = {
        "  carillon context set prod --url https://carillon.example --key-file deploy.key",
        "  carillon context set prod --key-file -           # typed or piped, and never shown",
        "  carillon context set test --url http://10.0.0.5:8080 --subscription s1 --group sales"
      })
  static final class SetContext extends OfContext {
    @Override
    String change(Contexts contexts, String name) {
      JobAddress.checked("a context", name);
      Server given = options.given();
      Server old = contexts.servers().get(name);
      if (old == null && given.url().isEmpty()) {
        throw CommandException.usage("--url: a new context needs the address of its server");
      }
      boolean isMoved = old != null && given.url().isPresent() && !given.url().equals(old.url());
      if (isMoved && old.key().isPresent() && given.key().isEmpty()) {
        throw CommandException.usage(
            "--url: the key of '" + name + "' is for another server; give the new key, too");
      }
      contexts.put(name, old == null ? given : old.with(given));
      return old == null ? "created" : "changed";
    }
  }

  /** Deletes a context. */
  @Command(
      name = "delete",
      description = "Deletes a context with its key; the server keeps the key until it is revoked.",
      footer = "  carillon context delete test")
  static final class Delete extends OfContext {
    @Override
    String change(Contexts contexts, String name) {
      contexts.remove(name);
      return "deleted";
    }
  }
}
