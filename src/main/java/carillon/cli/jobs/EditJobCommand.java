package carillon.cli.jobs;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiClientOptions;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.IoErrorText;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs edit}: changes a job in an editor. */
@Command(
    name = "edit",
    description = {
      "Opens a job in an editor and sends only the changes.",
      "Counters and unchanged secrets stay. If the job has changed in the meantime, nothing is"
          + " sent. If your text is not accepted, it is kept in a file."
    },
    footer = {
      "  carillon jobs edit orders/nightly",
      "  carillon jobs edit orders/nightly --editor 'code --wait'"
    })
final class EditJobCommand implements Runnable {
  private static final int CHANGED = 412;
  private static final byte[] NOTHING = {};

  @Mixin private GroupOptions options;
  @Mixin private Output output;

  @Parameters(
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job.")
  private JobAddress job;

  @Option(
      names = "--editor",
      paramLabel = "COMMAND",
      description =
          "Editor, started with the file as its argument. Default: VISUAL, else EDITOR, else vi.")
  private String editor;

  @Override
  public void run() {
    ApiClient node = options.node();
    ApiReply shown = node.ask("GET", job.path(), NOTHING);
    ObjectNode before = definition(node.proposeNearest(shown, job.list(), job.job()).orFail());
    Path file = write(Json.pretty(before) + "\n");
    runEditor(file);
    ObjectNode patch = patch(before, read(file));
    if (patch.isEmpty()) {
      delete(file);
      output.note("carillon: nothing was changed");
      return;
    }
    byte[] body = Json.compact(patch).getBytes(StandardCharsets.UTF_8);
    ApiReply reply = node.ask("PATCH", job.path(), body, "If-Match", shown.etag());
    if (!reply.isSuccess()) {
      String why =
          reply.status() == CHANGED ? job + " was changed by somebody else" : reply.refusal();
      throw CommandException.refused(why + kept(file));
    }
    delete(file);
    PutJobCommand.show(reply, job, "changed", output);
  }

  /** Returns the parts of a job that can be changed. */
  private static ObjectNode definition(ApiReply reply) {
    ObjectNode document = reply.json().deepCopy();
    return document.remove(List.of("id", "status", "pause", "waits"));
  }

  private static Path write(String text) {
    try {
      return Files.writeString(Files.createTempFile("carillon-", ".json"), text);
    } catch (IOException e) {
      throw CommandException.usage("a file to edit cannot be written: " + IoErrorText.of(e));
    }
  }

  private void runEditor(Path file) {
    String command =
        Optional.ofNullable(editor)
            .or(() -> ApiClientOptions.variable("VISUAL"))
            .or(() -> ApiClientOptions.variable("EDITOR"))
            .orElse("vi");
    try {
      // A shell, because the variable may hold options. The file name is passed as an argument.
      int code =
          new ProcessBuilder("/bin/sh", "-c", command + " \"$1\"", "carillon", file.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        delete(file);
        throw CommandException.refused("the editor ended with " + code + "; nothing was changed");
      }
    } catch (IOException e) {
      delete(file);
      throw CommandException.usage("the editor cannot be started: " + IoErrorText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.refused("interrupted" + kept(file));
    }
  }

  private static ObjectNode read(Path file) {
    try {
      if (Json.MAPPER.readTree(Files.readAllBytes(file)) instanceof ObjectNode object) {
        return object;
      }
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw CommandException.usage(
          "this is not JSON: "
              + e.getOriginalMessage()
              + " at line "
              + e.getLocation().getLineNr()
              + kept(file));
    } catch (IOException e) {
      throw CommandException.usage(file + " cannot be read: " + IoErrorText.of(e));
    }
    throw CommandException.usage("a job must be a JSON object" + kept(file));
  }

  private static String kept(Path file) {
    return "; your text is in " + file;
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // the file holds no secret and is in the temporary directory
    }
  }

  /** The JSON merge patch that makes one of the other. */
  static ObjectNode patch(ObjectNode before, ObjectNode after) {
    ObjectNode patch = Json.MAPPER.createObjectNode();
    for (var field : before.properties()) {
      if (!after.has(field.getKey())) {
        patch.putNull(field.getKey());
      }
    }
    for (var field : after.properties()) {
      JsonNode old = before.get(field.getKey());
      JsonNode now = field.getValue();
      if (old instanceof ObjectNode oldObject && now instanceof ObjectNode nowObject) {
        ObjectNode inner = patch(oldObject, nowObject);
        if (!inner.isEmpty()) {
          patch.set(field.getKey(), inner);
        }
      } else if (!now.equals(old)) {
        patch.set(field.getKey(), now);
      }
    }
    return patch;
  }
}
