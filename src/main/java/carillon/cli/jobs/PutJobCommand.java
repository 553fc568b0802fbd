package carillon.cli.jobs;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.client.JobAddress;
import carillon.cli.output.JobCells;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs put}: creates a job or replaces it. */
@Command(
    name = "put",
    description = {
      "Creates a job, or replaces all of it: its counters begin again, its history stays.",
      "The same document again leaves an unfinished job unchanged.",
      "The document is in the form of the API, as get -o json or -o yaml prints it."
    },
    footer = {
      "  carillon jobs put orders/nightly nightly.json",
      "  carillon jobs put hello --create < hello.json"
    })
final class PutJobCommand implements Runnable {
  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @ArgGroup private Condition condition;

  @Parameters(
      index = "0",
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job.")
  private JobAddress job;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = InputFile.STANDARD,
      description = "The document. Default, and -: standard input.")
  private String file;

  /** Condition of the write. */
  static final class Condition {
    @Option(names = "--create", description = "Refuses to replace an existing job.")
    private boolean create;

    @Option(
        names = "--if-match",
        paramLabel = "ETAG",
        description = "Replaces only this revision, as get shows it.")
    private String etag;

    private String[] headers() {
      return create
          ? new String[] {"If-None-Match", "*"}
          : new String[] {"If-Match", etag.startsWith("\"") ? etag : '"' + etag + '"'};
    }
  }

  @Override
  public void run() {
    byte[] document = named(new InputFile(file).readDocument());
    String[] headers = condition == null ? new String[0] : condition.headers();
    ApiClient node = options.node();
    String before = node.ask("GET", job.path(), new byte[0]).etag();
    ApiReply reply = node.ask("PUT", job.path(), document, headers).orFail();
    boolean isSame = !reply.etag().isEmpty() && reply.etag().equals(before);
    show(reply, job, isSame ? "unchanged" : reply.written(), output);
  }

  /**
   * Returns the document without the name of the job from which it was copied. An unreadable
   * document stays as it is.
   */
  private byte[] named(byte[] document) {
    try {
      if (Json.MAPPER.readTree(document) instanceof ObjectNode read
          && !job.job().equalsIgnoreCase(read.path("id").asText(job.job()))) {
        read.remove("id");
        return Json.MAPPER.writeValueAsBytes(read);
      }
    } catch (IOException e) {
      // the node says what is wrong, and where
    }
    return document;
  }

  /** Shows a job that has been written. */
  static void show(ApiReply reply, JobAddress job, Output output) {
    show(reply, job, reply.written(), output);
  }

  /** Shows a written job, and the outcome in a word. */
  static void show(ApiReply reply, JobAddress job, String outcome, Output output) {
    JsonNode put = reply.json();
    if (!output.document(put, job.toString())) {
      String next = put.path("status").path("nextExecutionTime").asText();
      String waits = put.has("waits") ? "; waits: " + JobCells.waits(put.get("waits"), output) : "";
      output.line(job + " " + outcome + (next.isEmpty() ? "" : ", next at " + next) + waits);
    }
  }
}
