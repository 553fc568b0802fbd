package carillon.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;

/** Cells of tables with the state of a job, in words for people. */
public final class JobCells {
  private JobCells() {}

  /** Returns the state of a job. For a job that was stopped after too many failures, it says so. */
  public static String state(JsonNode job) {
    JsonNode pause = job.path("pause");
    return pause.path("reason").asText().equals("failures")
        ? pause.path("note").asText()
        : job.path("state").asText();
  }

  /** Returns when a job runs next, and the reason if it waits. */
  public static String next(JsonNode job, Output output) {
    String next = output.time(job.path("status").path("nextExecutionTime").asText());
    if (!job.has("waits")) {
      return next;
    }
    return (next.isEmpty() ? "" : next + ", ") + "waits: " + waits(job.get("waits"), output);
  }

  /**
   * Returns "everything is paused by KEY" or "collection orders is paused by KEY until 13:00,
   * INC-123" for the property {@code waits}. For a future pause: "everything will be paused from
   * 12:00 by KEY".
   */
  public static String waits(JsonNode waits, Output output) {
    String level = waits.path("for").asText();
    String what = (level + " " + waits.path("name").asText()).trim();
    if (level.equals("flow") && !waits.has("by")) {
      return what;
    }
    if (!waits.has("by")) {
      return what + " is disabled";
    }
    String until = output.time(waits.path("until").asText());
    String since = waits.path("since").asText();
    String verb = isToCome(since) ? " will be paused from " + output.time(since) : " is paused";
    return what + verb + " by " + waits.path("by").asText() + untilAndNote(until, waits);
  }

  private static boolean isToCome(String instant) {
    try {
      return Instant.parse(instant).isAfter(InstantSource.system().instant());
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Returns " until 2030-01-02T06:00:00Z, INC-123" for a pause by a client. */
  public static String untilAndNote(JsonNode pause) {
    return untilAndNote(pause.path("until").asText(), pause);
  }

  /**
   * The same with another form of the end.
   *
   * @param until empty if the pause has no end
   */
  public static String untilAndNote(String until, JsonNode pause) {
    return (until.isEmpty() ? "" : " until " + until)
        + (pause.has("note") ? ", " + pause.path("note").asText() : "");
  }
}
