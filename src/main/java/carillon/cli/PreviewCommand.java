package carillon.cli;

import carillon.job.JobException;
import carillon.json.Preview;
import carillon.json.SubmissionLimits;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Computes when a schedule runs, without a node. */
@Command(
    name = "preview",
    description = {
      "Computes when a schedule would run; needs no node.",
      "Takes a job, or a document with startTime and recurrence, or the options below, or both: options"
          + " win."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  carillon preview --frequency week --interval 2 --weekdays monday,friday --hours 5,17",
      "  carillon preview --frequency month --monthdays -1 --hours 23 --start 2026-01-31T00:00:00Z",
      "  carillon jobs get orders/nightly --json | carillon preview -"
    })
public final class PreviewCommand implements Runnable {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  /** Far more than any node allows; what counts is the schedule. */
  private static final SubmissionLimits LIMITS =
      new SubmissionLimits(
          1 << 24, 1 << 16, 1000, 1 << 20, 1 << 24, Duration.ofDays(36_600), Duration.ofMillis(1));

  @Mixin private Output output;
  @Mixin private ScheduleOptions schedule;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A document with startTime and recurrence; -: standard input.")
  private String file;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description = "The moment of submission to assume. Default: now.")
  private String now;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "So many at most, 1 to 1000. Default: 10.")
  private int limit;

  @Override
  public void run() {
    ObjectNode question = Json.MAPPER.createObjectNode();
    document().ifPresent(job -> take(job, question));
    schedule.addTo(question);
    if (question.isEmpty()) {
      throw CommandException.usage("preview: give a FILE or --frequency; --help has examples");
    }
    Optional.ofNullable(now).ifPresent(time -> question.put("now", time));
    question.put("top", limit);
    show(occurrences(question));
  }

  private Optional<JsonNode> document() {
    return Optional.ofNullable(file)
        .map(
            name -> {
              try {
                return Json.MAPPER.readTree(new InputFile(name).read());
              } catch (IOException e) {
                throw CommandException.usage("this is not JSON: " + name);
              }
            });
  }

  /** Of a job only its schedule; in the envelope of Resource Manager, too. */
  private static void take(JsonNode document, ObjectNode question) {
    JsonNode job = document.path("properties").isObject() ? document.get("properties") : document;
    for (String name : List.of("startTime", "recurrence")) {
      if (job.hasNonNull(name)) {
        question.set(name, job.get(name));
      }
    }
    if (question.isEmpty()) {
      throw CommandException.usage("the document has neither startTime nor recurrence");
    }
  }

  private static JsonNode occurrences(ObjectNode question) {
    try {
      byte[] answer =
          new Preview(LIMITS)
              .answer(Json.MAPPER.writeValueAsBytes(question), InstantSource.system().instant());
      return Json.MAPPER.readTree(answer).path("occurrences");
    } catch (JobException e) {
      throw CommandException.refused(e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("a document of this program cannot be read", e);
    }
  }

  private void show(JsonNode occurrences) {
    output.columns("nr", "day", "occurrence");
    int number = 0;
    for (JsonNode occurrence : occurrences) {
      number++;
      output.row(
          Json.MAPPER.createObjectNode().put("number", number).set("occurrence", occurrence),
          List.of(
              Integer.toString(number),
              DAY.format(Instant.parse(occurrence.asText())),
              occurrence.asText()));
    }
    output.end();
    if (number == 0) {
      output.note("carillon: it never runs");
    }
  }
}
