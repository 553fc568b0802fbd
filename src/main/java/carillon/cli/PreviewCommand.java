package carillon.cli;

import carillon.cli.output.Json;
import carillon.json.view.Preview;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** Command {@code preview}: computes when a schedule runs, without a node. */
@Command(
    name = "preview",
    description = {
      "Computes when a schedule would run; needs no node.",
      "Takes a job, a document with startTime, timeZone, dst, recurrence, jitter and action, or the"
          + " options below. Options win over the document."
    },
    footer = {
      "  carillon preview --frequency week --interval 2 --weekdays monday,friday --hours 5,17",
      "  carillon preview --timezone Europe/Berlin --rrule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17'",
      "  carillon preview --timezone Europe/Berlin --cron '30 2 * * *' --now 2027-03-27T12:00:00Z",
      "  carillon preview --frequency month --monthdays -1 --hours 23 --start 2026-01-31T00:00:00Z",
      "  carillon jobs get orders/nightly --json | carillon preview -"
    })
public final class PreviewCommand extends ScheduleCommand {
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE", Locale.ENGLISH);

  @Override
  byte[] answer(byte[] document, Instant now) {
    return new Preview(LIMITS).answer(document, now);
  }

  /** Takes an action only if its calls differ. */
  @Override
  void take(JsonNode job, ObjectNode question) {
    super.take(job, question);
    if (job.path("action").findValue("placeholders") != null) {
      question.set("action", job.get("action"));
    }
  }

  @Override
  void show(JsonNode preview) {
    JsonNode occurrences = preview.path("occurrences");
    show(occurrences, preview.path("localTimes"), preview.path("planned"), preview.path("calls"));
    output.end();
    preview.path("moved").forEach(this::noteMoved);
    if (occurrences.isEmpty()) {
      output.note("carillon: it never runs");
    }
    preview.path("calls").forEach(this::noteCall);
  }

  /**
   * The columns that the schedule has: local times with a time zone, planned with jitter. Calls are
   * below a table, but within the rows of JSON.
   */
  private void show(JsonNode occurrences, JsonNode localTimes, JsonNode planned, JsonNode calls) {
    List<String> titles = new ArrayList<>(List.of("nr", "day"));
    if (localTimes.isArray()) {
      titles.add("local time");
    }
    titles.add("occurrence");
    if (planned.isArray()) {
      titles.add("planned");
    }
    output.columns(titles.toArray(String[]::new));
    for (int i = 0; i < occurrences.size(); i++) {
      ObjectNode row = row(i, occurrences.get(i).asText());
      if (calls.has(i)) {
        row.set("call", texts(calls.get(i)));
      }
      showRow(row, localTimes.path(i), planned.path(i));
    }
  }

  private void showRow(ObjectNode row, JsonNode localTime, JsonNode planned) {
    String at = row.path("occurrence").asText();
    String shown = localTime.isTextual() ? localTime.asText() : at;
    List<String> cells = new ArrayList<>(List.of(row.path("number").asText(), day(shown)));
    if (localTime.isTextual()) {
      row.put("localTime", shown);
      cells.add(shown);
    }
    cells.add(at);
    if (planned.isTextual()) {
      row.put("planned", planned.asText());
      cells.add(planned.asText());
    }
    output.row(row, cells);
  }

  static String day(String time) {
    return DAY.format(OffsetDateTime.parse(time));
  }

  private static ObjectNode row(int index, String occurrence) {
    return Json.MAPPER.createObjectNode().put("number", index + 1).put("occurrence", occurrence);
  }

  private void noteCall(JsonNode call) {
    output.note("carillon: call of " + call.path("scheduledAt").asText() + " " + texts(call));
  }

  /** The payload of a call alone. */
  private static ObjectNode texts(JsonNode call) {
    ObjectNode texts = call.deepCopy();
    texts.remove(List.of("scheduledAt", "type"));
    return texts;
  }

  private void noteMoved(JsonNode moved) {
    output.note("carillon: " + moved.path("localTime").asText() + " " + moved.path("why").asText());
  }
}
