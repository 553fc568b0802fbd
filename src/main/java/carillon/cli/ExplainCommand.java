package carillon.cli;

import carillon.json.view.Explanation;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code explain}: explains a schedule, and writes it in other forms, without a node. */
@Command(
    name = "explain",
    description = {
      "Explains a schedule: in words, when and why it runs, and the same schedule in other forms;"
          + " needs no node.",
      "Takes the same arguments as preview. --json prints the answer of the API's /explain."
    },
    footer = {
      "  carillon explain '0 9 13 * FRI'",
      "  carillon explain --timezone Europe/Berlin --cron '30 2 * * *' --now 2027-03-27T12:00:00Z",
      "  carillon explain --frequency day --hours 5,17 --minutes 0 --start 2026-11-02T05:00:00Z --to quartz"
    })
public final class ExplainCommand extends ScheduleCommand {
  @Option(
      names = "--to",
      paramLabel = "FORM",
      description = "Only this other form: frequency, unix, quartz or aws.")
  private String to;

  @Override
  void addTo(ObjectNode question) {
    Optional.ofNullable(to).ifPresent(form -> question.put("to", form));
  }

  @Override
  byte[] answer(byte[] document, Instant now) {
    return new Explanation(LIMITS).answer(document, now);
  }

  @Override
  void show(JsonNode answer) {
    if (output.document(answer, answer.path("words").asText())) {
      return;
    }
    output.line(answer.path("words").asText());
    JsonNode zone = answer.path("timeZone");
    if (zone.isObject()) {
      output.line(
          "time zone %s, tzdata %s"
              .formatted(zone.path("id").asText(), zone.path("tzdata").asText()));
    }
    answer.path("occurrences").forEach(this::showOccurrence);
    showIfThere(answer, "dayFields", "fields of days: ");
    showIfThere(answer, "resolved", "for this job: ");
    answer
        .path("same")
        .properties()
        .forEach(form -> output.line("as " + form.getKey() + ": " + form.getValue()));
    answer
        .path("whyNot")
        .properties()
        .forEach(form -> output.line("not as " + form.getKey() + ": " + form.getValue().asText()));
    answer
        .path("warnings")
        .forEach(warning -> output.note("carillon: " + warning.path("message").asText()));
  }

  private void showOccurrence(JsonNode occurrence) {
    String at = occurrence.path("at").asText();
    String local = occurrence.path("local").asText(at);
    String because = occurrence.path("because").asText("");
    output.line(
        "  "
            + PreviewCommand.day(local)
            + "  "
            + local
            + (local.equals(at) ? "" : "  " + at)
            + (because.isEmpty() ? "" : "  because " + because));
  }

  private void showIfThere(JsonNode answer, String name, String words) {
    if (answer.has(name)) {
      output.line(words + answer.path(name).asText());
    }
  }
}
