package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.Status;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The stream of attempts as they end. */
class LiveEventsApiTest extends WithDefaultCollection {
  private static Messages.AttemptEnded finished(String job, HistoryEntry.Status status) {
    return EndedAttempts.of("default", job, status, "one line\nand </script> another");
  }

  /** Reads events from a stream until one has this name; returns its data. */
  private static String event(Iterator<String> lines, String name) {
    while (!lines.next().equals("event: " + name)) {}
    return lines.next().substring("data: ".length());
  }

  @Test
  void attemptsAreSentOnAsTheyEnd() {
    try (Stream<String> stream = api.stream("/console/executions?status=failed&job=MAIL")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      for (String job : List.of("mail-1", "other")) {
        Messages.ENDED.toAll(api.vertx.eventBus(), finished(job, Status.COMPLETED));
        Messages.ENDED.toAll(api.vertx.eventBus(), finished(job, Status.FAILED));
      }

      JsonArray attempts = new JsonArray(event(lines, "executions"));

      assertEquals(1, attempts.size());
      JsonObject attempt = attempts.getJsonObject(0);
      assertEquals("Default", attempt.getString("collection"));
      assertEquals("mail-1", attempt.getString("job"));
      assertEquals("failed", attempt.getString("status"));
      assertEquals("one line\nand </script> another", attempt.getString("message"));
    }
  }

  @Test
  void aBrowserIsToldHowManyLinesItLost() {
    try (Stream<String> stream = api.stream("/console/executions")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      for (int i = 0; i < 5000; i++) {
        Messages.ENDED.toAll(api.vertx.eventBus(), finished("mail", Status.COMPLETED));
      }
      long told = 0;
      long lost = 0;
      while (told + lost < 5000) {
        String name = lines.next();
        if (name.equals("event: executions")) {
          told += new JsonArray(lines.next().substring(6)).size();
        } else if (name.equals("event: lost")) {
          lost += Long.parseLong(lines.next().substring(6));
        }
      }

      assertEquals(5000, told + lost);
      assertTrue(lost > 0, "at most 200 are kept for a quarter of a second");
    }
  }

  @Test
  void aStreamEndsWithTheNode() {
    try (Stream<String> stream = api.stream("/console/executions")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      api.stopListening();

      while (lines.hasNext()) {
        lines.next();
      }
    }
  }

  @Test
  void aFilterThatMakesNoSenseIsRefused() {
    api.get("/console/executions?status=odd").assertStatus(400);
  }
}
