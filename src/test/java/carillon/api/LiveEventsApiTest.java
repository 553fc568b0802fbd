package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.bus.Messages;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.support.Await;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test of the stream of ended attempts. */
class LiveEventsApiTest extends WithDefaultCollection {
  private static Messages.AttemptEnded finished(String job, HistoryEntry.Status status) {
    return EndedAttempts.of("default", job, status, "one line\nand </script> another");
  }

  /** Reads events from a stream up to the first with this name; returns its data. */
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

  /** Redis answers after the last client has left the stream and the next one has joined. */
  @Test
  void anAnswerToWatchersThatAreGoneIsNotForThoseThatCome() {
    try (RedisServer redis = RedisServer.start();
        ApiServer own = new ApiServer(redis)) {
      publish(redis, 7);
      redis.pause();
      List<Stream<String>> first = List.of(watch(own), watch(own)); // one on each event loop
      long begun = System.nanoTime();
      Await.until("a read", () -> System.nanoTime() - begun > Duration.ofSeconds(1).toNanos());
      first.forEach(Stream::close);
      own.moveTo(Instant.now().plusMillis(1));

      try (Stream<String> one = watch(own);
          Stream<String> other = watch(own)) {
        redis.resume();
        Instant now = Instant.now().plusMillis(10);
        Await.until("a later instant", () -> Instant.now().isAfter(now));
        publish(redis, 9);

        assertEquals("9", event(one.iterator(), "lost"));
        assertEquals("9", event(other.iterator(), "lost"));
      }
    }
  }

  /** Publishes a number of left-out attempts, as another node does. */
  private static void publish(RedisServer redis, int leftOut) {
    redis.eval(
        "return redis.call('XADD', 'carillon:live', '*', 'node', 'n2', 'leftOut', '%d')"
            .formatted(leftOut));
  }

  private static Stream<String> watch(ApiServer api) {
    return api.stream("/console/executions");
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
