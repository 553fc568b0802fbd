package carillon.api.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.EndedAttempts;
import carillon.api.WithApi;
import carillon.bus.Messages;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of events from other nodes for clients of the stream. */
class LiveEventPublisherTest extends WithApi {
  private Vertx other;

  @BeforeEach
  void startAnotherNode() {
    other = Vertx.vertx();
    Messages.register(other.eventBus());
    Await.result(other.deployVerticle(new LiveEventPublisher(api.storage("n2"))));
  }

  @AfterEach
  void stop() {
    Await.result(other.close());
  }

  private static Messages.AttemptEnded finished(String job, Status status, String message) {
    return EndedAttempts.of("s1", job, status, message);
  }

  /** Repeats the messages: a node publishes nothing until it notices the request for events. */
  private void finishAgainAndAgain(Vertx node, Messages.AttemptEnded... finished) {
    node.setPeriodic(
        20, id -> List.of(finished).forEach(one -> Messages.ENDED.toAll(node.eventBus(), one)));
  }

  private static JsonObject next(Iterator<String> lines) {
    while (!lines.next().equals("event: executions")) {}
    return new JsonArray(lines.next().substring("data: ".length())).getJsonObject(0);
  }

  @Test
  void attemptsOfOtherNodesAreSentOnToo() {
    try (Stream<String> stream = api.stream("/console/executions?status=failed&job=mail")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      finishAgainAndAgain(
          other,
          finished("mail-1", Status.COMPLETED, "ok"),
          finished("other", Status.FAILED, "no"),
          finished("mail-2", Status.FAILED, "ä\n" + "x".repeat(5000)));

      JsonObject attempt = next(lines);

      assertEquals("n2", attempt.getString("node"));
      assertEquals("s1", attempt.getString("subscription"));
      assertEquals("Default", attempt.getString("collection"));
      assertEquals("mail-2", attempt.getString("job"));
      assertEquals("failed", attempt.getString("status"));
      assertEquals(1001, attempt.getString("message").length());
      assertTrue(attempt.getString("message").startsWith("ä\nx"));
    }
  }

  @Test
  void whatIsTooMuchIsCountedAndWhatIsKeptIsBounded() {
    Messages.AttemptEnded[] many = new Messages.AttemptEnded[1000];
    for (int i = 0; i < many.length; i++) {
      many[i] = finished("j" + i, Status.COMPLETED, "ok");
    }
    try (Stream<String> stream = api.stream("/console/executions?job=j0")) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      finishAgainAndAgain(other, many);

      while (!lines.next().equals("event: lost")) {}

      assertTrue(Long.parseLong(lines.next().substring("data: ".length())) > 0);
      assertTrue(
          Long.parseLong(api.redis.eval("return '' .. redis.call('PTTL', 'carillon:live')")) > 0);
    }
  }

  @Test
  void nothingIsToldWhileNobodyWatches() {
    api.redis.ask("CONFIG RESETSTAT");
    Messages.ENDED.toAll(other.eventBus(), finished("mail", Status.FAILED, "no"));
    Await.until(
        "the node has asked whether somebody watches",
        () ->
            api.redis.eval("return redis.call('INFO', 'commandstats')").contains("cmdstat_exists"));

    assertEquals("0", api.redis.eval("return '' .. redis.call('EXISTS', 'carillon:live')"));
  }

  @Test
  void aLineOfAnotherVersionIsLeftOut() {
    Messages.AttemptEnded ended = finished("mail", Status.FAILED, "no");
    String line = LiveEventPublisher.line(ended, ended.entry().orElseThrow());

    assertTrue(LiveEventPublisher.read("n2", line).isPresent());
    for (String other :
        List.of("", "a", "a b c", "a/b/c/d c/d {}", line + "x", "x" + line.substring(20))) {
      assertEquals(Optional.empty(), LiveEventPublisher.read("n2", other), other);
    }
  }
}
