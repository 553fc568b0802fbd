package carillon.cli.jobs;

import carillon.cli.client.ApiClient;
import carillon.cli.client.ApiReply;
import carillon.cli.client.GroupOptions;
import carillon.cli.client.JobAddress;
import carillon.cli.output.CommandException;
import carillon.cli.output.Json;
import carillon.cli.output.Output;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command {@code jobs create}: creates a job that calls a URL, from options alone. */
@Command(
    name = "create",
    description = {
      "Creates a job that calls a URL, without a document.",
      "Runs once, now, unless --in or --at gives another time; recurs with --every or --cron. For"
          + " other jobs use jobs put; the output of --dry-run is a start."
    },
    footer = {
      "  carillon jobs create hello --post https://example.org/hook --in 10s",
      "  carillon jobs create orders/nightly --get https://example.org/report --cron '0 5 * * 1-5'"
          + " --tz Europe/Berlin",
      "  carillon jobs create --post https://example.org/hook --body '{\"n\": 1}' --header"
          + " 'X-Tenant: a'",
      "  carillon jobs create report --get https://example.org/r --cron '@daily' --exclude"
          + " holidays-de --overlap skip",
      "  carillon jobs create bills --post https://example.org/b --cron '@daily' --label"
          + " team=billing --description 'Sends the bills of the day'",
      "  carillon jobs create beat --post https://example.org/hook --every 5m --retries 3 --dry-run"
    })
final class CreateJobCommand implements Runnable {
  private static final int EXISTS = 412;
  private static final int SHOWN = 3;

  /** End of a schedule in words that has no grid. */
  private static final String FROM_STARTS = ", counted from each start";

  @Mixin private GroupOptions options;
  @Mixin private Output output;
  @Mixin private HttpCallOptions call;
  @Mixin private TimingOptions timing;
  @Mixin private RuleOptions rules;

  @Parameters(
      arity = "0..1",
      paramLabel = JobAddress.LABEL,
      converter = JobAddress.Converter.class,
      description = "The job. Default: a random name in the collection default.")
  private JobAddress job;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "A label, for searches; more than once.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(names = "--description", paramLabel = "TEXT", description = "Purpose, for people.")
  private String description;

  @Option(names = "--replace", description = "Replaces an existing job of this name.")
  private boolean replace;

  @Option(names = "--dry-run", description = "Prints the document and sends nothing.")
  private boolean dryRun;

  @Override
  public void run() {
    if (replace && job == null) {
      throw CommandException.usage("--replace: give the name of the job");
    }
    ObjectNode document = document();
    if (dryRun) {
      if (!output.document(document, job == null ? "-" : job.toString())) {
        output.line(Json.pretty(document));
      }
      return;
    }
    ApiReply reply = send(Json.compact(document).getBytes(StandardCharsets.UTF_8));
    JobAddress created = address(reply.json());
    PutJobCommand.show(reply, created, output);
    if (output.isForPeople() && document.has("recurrence")) {
      showNext(created);
    } else if (output.isForPeople() && isNow(document)) {
      output.line("runs once, now; --in or --at gives another time");
    }
  }

  /**
   * Shows a recurrence in words, with the next instants; nothing if the node does not return them.
   */
  private void showNext(JobAddress created) {
    ApiReply reply =
        options.node().ask("GET", created.path() + "/occurrences?$top=" + SHOWN, new byte[0]);
    if (!reply.isSuccess()) {
      return; // the job is created all the same
    }
    JsonNode outlook = reply.json();
    List<String> next = new ArrayList<>();
    JsonNode times =
        outlook.has("localTimes") ? outlook.path("localTimes") : outlook.path("occurrences");
    times.forEach(time -> next.add(time.asText()));
    output.line(said(outlook.path("schedule").asText()) + ": " + String.join(", ", next));
  }

  /** Returns a schedule in words, with the meaning of an interval without a start. */
  private static String said(String schedule) {
    return schedule.endsWith(FROM_STARTS)
        ? "runs now, then " + schedule + "; --at gives it a grid"
        : schedule;
  }

  private static boolean isNow(ObjectNode document) {
    return !document.has("in") && !document.has("startTime");
  }

  private ObjectNode document() {
    ObjectNode document = Json.MAPPER.createObjectNode();
    timing.addStart(document);
    call.addTo(document.putObject("action"));
    timing.addRecurrence(document);
    rules.addTo(document);
    if (description != null) {
      document.put("description", description);
    }
    if (!labels.isEmpty()) {
      labels.forEach(document.putObject("labels")::put);
    }
    return document;
  }

  private ApiReply send(byte[] document) {
    ApiClient node = options.node();
    if (job == null) {
      return node.ask("POST", JobAddress.jobsOf(JobAddress.DEFAULT), document).orFail();
    }
    String[] absent = replace ? new String[0] : new String[] {"If-None-Match", "*"};
    ApiReply reply = node.ask("PUT", job.path(), document, absent);
    if (reply.status() == EXISTS) {
      throw CommandException.refused(job + " exists already; --replace replaces it");
    }
    return reply.orFail();
  }

  private JobAddress address(JsonNode created) {
    return job == null ? new JobAddress(JobAddress.DEFAULT, created.path("id").asText()) : job;
  }
}
