package carillon.cli.admin;

import carillon.cli.ListCommand;
import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
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

/** Command {@code keys}: shows API keys, makes and revokes them. */
@Command(
    name = "keys",
    description = "Shows, creates and revokes API keys. Needs the role admin for everything.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon keys create deploy --grant writer:orders",
      "  carillon keys list",
      "  carillon keys revoke 4kq0w1"
    },
    subcommands = {KeysCommand.Make.class, KeysCommand.Show.class, KeysCommand.Revoke.class})
public final class KeysCommand {
  private static final String KEYS = "/keys";

  /** Makes a key. */
  @Command(
      name = "create",
      description = {
        "Creates an API key and prints it. It is not shown again.",
        "Standard output has only the key, so that it can be redirected to a file."
      },
      footer = {
        "  carillon keys create deploy --grant writer:orders > deploy.key",
        "  carillon keys create team --grant 'writer:orders,writer:orders-*'",
        "  carillon keys create ops --grant operator --expires 2035-01-01T00:00:00Z"
      })
  static final class Make implements Runnable {
    @Mixin private ApiClientOptions options;
    @Mixin private Output output;

    @Parameters(paramLabel = "CLIENT", description = "Name of the client that uses it.")
    private String client;

    @Option(
        names = "--grant",
        required = true,
        split = ",",
        paramLabel = "ROLE[:SCOPE]",
        description =
            "reader, operator, writer or admin, for everything or for a SCOPE: a collection"
                + " (orders), a prefix (orders-*), SUBSCRIPTION/GROUP,"
                + " SUBSCRIPTION/GROUP/COLLECTION or SUBSCRIPTION/*; more than once.")
    private List<String> grants;

    @Option(names = "--expires", paramLabel = "TIME", description = "Default: never.")
    private String expires;

    @Override
    public void run() {
      ObjectNode order = Json.MAPPER.createObjectNode().put("client", client);
      grants.forEach(order.putArray("grants")::add);
      if (expires != null) {
        order.put("expires", expires);
      }
      byte[] body = Json.compact(order).getBytes(StandardCharsets.UTF_8);
      JsonNode made = options.node().ask("POST", KEYS, body).orFail().json();
      if (!output.document(made, made.path("id").asText())) {
        output.line(made.path("key").asText());
        output.note("carillon: key " + made.path("id").asText() + " of " + client);
      }
      made.path("warnings").forEach(warning -> output.note("carillon: " + warning.asText()));
    }
  }

  /** Lists keys. */
  @Command(
      name = "list",
      description = "Lists API keys, without their secrets.",
      footer = "  carillon keys list")
  static final class Show extends ListCommand.OfAll {
    Show() {
      super("key", "client", "created", "expires", "last used", "+by", "grants");
    }

    @Override
    protected String path() {
      return KEYS;
    }

    @Override
    protected List<String> row(JsonNode key) {
      return List.of(
          key.path("id").asText(),
          key.path("client").asText(),
          time(key.path("created")),
          time(key.path("expires")),
          time(key.path("lastUsed")),
          key.path("by").asText(),
          Json.joined(key.path("grants"), ","));
    }
  }

  /** Revokes a key. */
  @Command(
      name = "revoke",
      description = "Revokes an API key: requests with it are refused from then on.",
      footer = "  carillon keys revoke 4kq0w1")
  static final class Revoke implements Runnable {
    @Mixin private ApiClientOptions options;
    @Mixin private Output output;

    @Parameters(paramLabel = "KEY", description = "Its id, as list shows it.")
    private String key;

    @Override
    public void run() {
      if (!JobAddress.isName(key)) {
        throw CommandException.usage("KEY must be the id of a key, was '" + key + "'");
      }
      options.node().send("DELETE", KEYS + "/" + key);
      output.line(key + " revoked");
    }
  }
}
