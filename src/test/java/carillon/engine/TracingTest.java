package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Collector;
import carillon.support.Collector.Traced;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the traces from a whole node to a collector, and of data that must not be in them. */
class TracingTest extends NodeFixture {
  private static final String PATH = "/jobcollections/default/jobs/j";
  private static final String JOB = "default/default/default/j";
  private static final int SERVER = 2;
  private static final int CLIENT = 3;
  private static final int ERROR = 2;

  /** Flags of a trace that starts in this node. */
  private static final String SAMPLED_AND_RANDOM = "03";

  private final CallbackServer target = new CallbackServer();
  private final Collector collector = new Collector();

  @AfterEach
  void stopTargets() {
    target.close();
    collector.close();
  }

  private int put(String job, String... headers) {
    return send("PUT", PATH, job, headers).statusCode();
  }

  private String job(String path) {
    return JobJson.http("post", target.url(path))
        .request("headers", new JsonObject().put("X-Canary", "canary-header"))
        .body("canary-body")
        .fixedRetry("PT0.001S", 1)
        .json();
  }

  private List<String> carried() {
    return target.calls().stream().map(call -> call.headers().get("traceparent")).toList();
  }

  @Test
  void aJobIsOneTraceFromItsSubmissionToItsAttempts() {
    start(
        Map.of(
            "CARILLON_TRACING_ENDPOINT",
            collector.url(),
            "CARILLON_TRACING_HEADERS",
            "X-Key=canary-key"));
    target.answer(500);

    assertEquals(201, put(job("/canary-path?canary=query")));
    Await.until("two calls", () -> target.calls().size() == 2);
    Await.until(
        "all spans, in whatever order they ended",
        () ->
            collector.named("submit").size() == 1
                && collector.named("claim").size() == 2
                && collector.named("attempt").size() == 2);

    Traced submission = collector.named("submit").get(0);
    List<Traced> claims = collector.named("claim");
    List<Traced> attempts = collector.named("attempt");
    assertEquals("", submission.parent());
    assertEquals(SERVER, submission.kind());
    assertEquals(
        Map.of(
            "carillon.dialect", "native",
            "carillon.job", JOB,
            "http.request.method", "PUT",
            "http.response.status_code", "201"),
        submission.attributes());
    assertEquals(2, claims.size());
    for (int i = 0; i < 2; i++) {
      Traced claim = claims.get(i);
      Traced attempt = attempts.get(i);
      assertEquals(submission.trace(), claim.trace());
      assertEquals(submission.trace(), attempt.trace());
      assertEquals(submission.id(), claim.parent());
      assertEquals(claim.id(), attempt.parent());
      assertEquals(JOB, attempt.attributes().get("carillon.job"));
      assertEquals(Integer.toString(i + 1), attempt.attributes().get("carillon.attempt"));
      assertEquals("failed", attempt.attributes().get("carillon.outcome"));
      assertEquals("POST", attempt.attributes().get("http.request.method"));
      assertEquals("127.0.0.1", attempt.attributes().get("server.address"));
      assertEquals(CLIENT, attempt.kind());
      assertEquals(ERROR, attempt.status());
      assertTrue(claim.end() >= claim.start() && attempt.end() >= attempt.start());
      assertEquals(
          "00-" + attempt.trace() + "-" + attempt.id() + "-" + SAMPLED_AND_RANDOM,
          carried().get(i));
    }
    assertEquals("carillon", attempts.get(0).resource().get("service.name"));
    assertEquals("n1", attempts.get(0).resource().get("service.instance.id"));
    assertFalse(collector.raw().contains("canary"), "a secret is in a span");
    assertTrue(collector.keys().contains("canary-key"), collector.keys().toString());
  }

  @Test
  void theTraceOfAClientGoesOnAndWhatIsLeftIsSentAtTheEnd() {
    start(Map.of("CARILLON_TRACING_ENDPOINT", collector.url()));
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";

    put(job("/"), "traceparent", "00-" + trace + "-00f067aa0ba902b7-01", "tracestate", "a=b");
    Await.until("the call", () -> target.calls().size() == 1);
    stopNode();

    assertEquals("00f067aa0ba902b7", collector.named("submit").get(0).parent());
    assertEquals(
        List.of(trace, trace, trace),
        List.of("submit", "claim", "attempt").stream()
            .map(name -> collector.named(name).get(0).trace())
            .toList());
    assertEquals("a=b", target.calls().get(0).headers().get("tracestate"));
    assertTrue(
        carried().get(0).endsWith("-01"), "the flags of a trace are its client's: " + carried());
  }

  @Test
  void whatAClientDoesNotWantRecordedIsNot() {
    start(Map.of("CARILLON_TRACING_ENDPOINT", collector.url()));

    put(job("/"), "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
    Await.until("the call", () -> target.calls().size() == 1);
    stopNode();

    assertEquals("", collector.raw());
    assertTrue(
        carried().get(0).startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-"), carried().get(0));
    assertTrue(carried().get(0).endsWith("-00"), carried().get(0));
  }

  @Test
  void aCollectorThatIsAwayHoldsNothingUpAndOffMeansOff() {
    start(Map.of("CARILLON_TRACING_ENDPOINT", "http://127.0.0.1:1/v1/traces"));
    put(job("/"));
    Await.until("the call", () -> target.calls().size() == 1);
    stopNode();
    RedisServer.shared().flush();

    start(Map.of());
    put(job("/"));
    Await.until("the second call", () -> target.calls().size() == 2);

    assertEquals(null, target.calls().get(1).headers().get("traceparent"));
  }
}
