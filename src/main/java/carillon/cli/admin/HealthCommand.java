package carillon.cli.admin;

import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.ApiReply;
import carillon.cli.output.CommandException;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command {@code health}: shows whether a node is ready. */
@Command(
    name = "health",
    description = "Shows whether a node is ready, also by the exit code.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:ready", "1:not ready", "3:no node can be reached"},
    footer = {"  carillon health", "  carillon health --live -o name"})
public final class HealthCommand implements Runnable {
  private static final int NOT_READY = 503;
  private static final byte[] NOTHING = {};

  @Mixin private ApiClientOptions options;
  @Mixin private Output output;

  @Option(names = "--live", description = "Shows only whether the node runs, without its checks.")
  private boolean live;

  @Override
  public void run() {
    ApiReply reply = options.node().ask("GET", live ? "/health/live" : "/health/ready", NOTHING);
    boolean isDown = reply.status() == NOT_READY && reply.json().has("status");
    JsonNode health = isDown ? reply.json() : reply.orFail().json();
    String status = health.path("status").asText();
    if (!output.document(health, status)) {
      show(health, status);
    }
    if (isDown) {
      throw CommandException.refused(status);
    }
  }

  private void show(JsonNode health, String status) {
    output.line(status);
    if (health.path("checks").isEmpty()) {
      return;
    }
    output.columns("check", "status", "reason");
    for (JsonNode check : health.path("checks")) {
      output.row(
          check,
          List.of(
              check.path("name").asText(),
              check.path("status").asText(),
              check.path("reason").asText()));
    }
    output.end();
  }
}
