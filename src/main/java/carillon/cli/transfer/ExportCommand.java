package carillon.cli.transfer;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.InputFile;
import carillon.cli.client.IoErrorText;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.TextTable;
import carillon.cli.transfer.ExportLine.Kind;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code export}: writes flows, calendars, collections and jobs as lines of JSON. */
@Command(
    name = "export",
    description = {
      "Writes flows, calendars, collections and their jobs as lines of JSON, for import.",
      "Secrets are not exported, because no answer of a node contains them; each line lists their"
          + " places (secretsLeftOut). Finished jobs are left out, because they would run again."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon export --output jobs.ndjson",
      "  carillon export --collection orders --carry-on | carillon import - --url http://other:8080"
    })
public final class ExportCommand implements Runnable {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final byte[] NOTHING = {};

  @Mixin private GroupOptions options;
  @Spec private CommandSpec spec;

  @Option(
      names = "--collection",
      paramLabel = "NAME",
      description =
          "Only this collection, and the flows and calendars of its group; may be given more than once."
              + " Default: all collections.")
  private List<String> collections = new ArrayList<>();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "The file to write; it appears when it is complete. Default, and -: standard output.")
  private Path output;

  @Option(
      names = "--carry-on",
      description = {
        "For a move to another installation: recurring jobs continue. A count becomes the"
            + " remaining count, and a job without startTime starts at its next occurrence instead"
            + " of immediately."
      })
  private boolean carryOn;

  private PrintWriter to;
  private Progress progress;
  private long flows;
  private long calendars;
  private long jobs;
  private long finished;
  private long incomplete;
  private long pausedUntil;
  private long planned;
  private long pausedFlows;
  private long widePauses;
  private int told;
  private int damaged;

  @Override
  public void run() {
    progress = new Progress(spec.commandLine().getErr(), System::nanoTime);
    if (output == null || output.toString().equals(InputFile.STANDARD)) {
      to = spec.commandLine().getOut();
      write();
    } else {
      writeFile();
    }
    summarize();
    if (damaged > 0) {
      throw CommandException.refused(
          damaged + " damaged items are left out, see above; the rest is exported");
    }
  }

  private void writeFile() {
    Path part = output.resolveSibling(output.getFileName() + ".part");
    try {
      try (BufferedWriter file = Files.newBufferedWriter(part, StandardCharsets.UTF_8)) {
        to = new PrintWriter(file);
        write();
      } catch (RuntimeException e) {
        Files.deleteIfExists(part);
        throw e;
      }
      Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw CommandException.usage(
          "--output " + output + " cannot be written: " + IoErrorText.of(e));
    }
  }

  private void write() {
    widePauses = countWidePauses();
    ApiClient node = options.node();
    list(node, Kind.FLOW, this::exportFlow);
    list(node, Kind.CALENDAR, calendar -> exportCalendar(node, calendar));
    if (collections.isEmpty()) {
      node.list(JobAddress.collections(), found -> export(node, found), leftOut("collection "));
    } else {
      collections.forEach(name -> export(node, node.get(JobAddress.pathOf(name))));
    }
    checkWritten();
  }

  /**
   * Lists flows or calendars. Leaves them out if the caller may not see the group, such as with a
   * key of one collection.
   */
  private void list(ApiClient node, Kind kind, Predicate<JsonNode> sink) {
    ApiReply first = node.ask("GET", kind.path() + "?$top=1", NOTHING);
    if (first.status() == FORBIDDEN || first.status() == NOT_FOUND) {
      spec.commandLine().getErr().println(kind.word() + "s are left out: " + first.refusal());
    } else {
      node.list(kind.path(), sink, leftOut(kind.word() + " "));
    }
  }

  /** Returns the number of pauses of groups and of everything; 0 if the node does not list them. */
  private long countWidePauses() {
    ApiReply reply = options.wholeNode().ask("GET", "/pauses", NOTHING);
    return reply.isSuccess() ? reply.json().path("value").size() : 0;
  }

  private Consumer<JsonNode> leftOut(String what) {
    return one -> {
      damaged++;
      spec.commandLine()
          .getErr()
          .println(
              what
                  + one.path("name").asText()
                  + " is left out, as it is damaged: "
                  + one.path("reason").asText());
    };
  }

  private boolean exportFlow(JsonNode flow) {
    line(ExportLine.ofFlow(flow));
    flows++;
    if (flow.has("pause")) {
      pausedFlows++;
    }
    return true;
  }

  /** Exports a calendar. It asks for each calendar, because the list leaves the spans out. */
  private boolean exportCalendar(ApiClient node, JsonNode listed) {
    String path = JobAddress.pathOf(Kind.CALENDAR.path(), listed.path("name").asText());
    line(ExportLine.ofCalendar(node.get(path)));
    calendars++;
    return true;
  }

  private boolean export(ApiClient node, JsonNode collection) {
    String name = collection.path("name").asText();
    line(ExportLine.ofCollection(collection));
    countPause(collection);
    told++;
    node.list(
        JobAddress.jobsOf(name),
        job -> {
          countPause(job);
          ExportLine.ofJob(name, job, carryOn).ifPresentOrElse(this::job, () -> finished++);
          return true;
        },
        leftOut("job " + name + "/"));
    return true;
  }

  private void job(ExportLine line) {
    line(line);
    jobs++;
    progress.at(jobs, "jobs exported", -1);
    if (jobs % 1000 == 0) {
      checkWritten();
    }
  }

  /** Instants of a pause are not exported: no definition holds them. */
  private void countPause(JsonNode answered) {
    JsonNode pause = answered.path("pause");
    boolean isPlanned = pause.isObject() && answered.path("state").asText().equals("enabled");
    if (isPlanned || pause.has("planned")) {
      planned++;
    }
    if (!isPlanned && pause.has("until")) {
      pausedUntil++;
    }
  }

  private void line(ExportLine line) {
    to.println(line.text());
    if (!line.leftOut().isEmpty()) {
      incomplete++;
    }
  }

  private void checkWritten() {
    if (to.checkError()) {
      throw CommandException.refused("the output cannot be written");
    }
  }

  private void summarize() {
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        String.format(
            Locale.ROOT,
            "exported %s in %s, %s, %s, %s; %s left out",
            TextTable.counted(jobs, "job"),
            TextTable.counted(told, "collection"),
            TextTable.counted(flows, "flow"),
            TextTable.counted(calendars, "calendar"),
            progress.rate(jobs),
            TextTable.counted(finished, "finished job")));
    if (incomplete > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "%s without secrets (secretsLeftOut): fill them in before an import elsewhere",
              TextTable.counted(incomplete, "line")));
    }
    if (pausedUntil > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "%s disabled until an instant, which is left out: enable them by hand after an import",
              TextTable.counted(pausedUntil, "job or collection is", "jobs or collections are")));
    }
    if (planned > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "%s a planned pause, which is left out: plan it again after an import",
              TextTable.counted(planned, "collection has", "collections have")));
    }
    if (pausedFlows > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "%s paused, which is left out: after an import their calls run",
              TextTable.counted(pausedFlows, "flow is", "flows are")));
    }
    if (widePauses > 0) {
      err.println(
          String.format(
              Locale.ROOT,
              "%s of everything or of a group, which is left out: after an import the jobs run",
              TextTable.counted(widePauses, "pause", "pauses")));
    }
  }
}
