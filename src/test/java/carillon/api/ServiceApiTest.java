package carillon.api;

import static carillon.api.Answers.assertAnswer;
import static carillon.api.Answers.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.admin.HealthChecks;
import carillon.support.RedisServer;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is served beside the resources, and the server itself. */
class ServiceApiTest extends WithCollection {
  @Test
  void healthTellsWhetherTheNodeCanWork() {
    assertAnswer(200, "{\"status\":\"live\"}", api.send("GET", "/health/live", null));
    assertAnswer(
        200,
        "{\"status\":\"ready\",\"checks\":[{\"name\":\"redis\",\"status\":\"up\"}]}",
        api.send("GET", "/health", null));

    api.checks.set(
        List.of(
            HealthChecks.Check.warnUnless("clock", false, "It is slow."),
            HealthChecks.Check.downUnless("heartbeat", false, "There is none.")));

    assertAnswer(
        503,
        "{\"status\":\"not ready\",\"reasons\":[\"There is none.\"],\"checks\":["
            + "{\"name\":\"redis\",\"status\":\"up\"},"
            + "{\"name\":\"clock\",\"status\":\"warning\",\"reason\":\"It is slow.\"},"
            + "{\"name\":\"heartbeat\",\"status\":\"down\",\"reason\":\"There is none.\"}]}",
        api.send("GET", "/health/ready", null));
    assertEquals(200, api.send("GET", "/health/live", null).statusCode());
  }

  @Test
  void theRootTellsWhatThisIs() {
    HttpResponse<String> answer = api.send("GET", "/", null);

    assertTrue(
        answer.body().startsWith("{\"name\":\"Carillon\",\"version\":\"test"), answer.body());
  }

  @Test
  void aStoreThatDoesNotAnswerMakesTheServiceUnavailable() {
    try (RedisServer redis = RedisServer.start();
        ApiServer other = new ApiServer(redis)) {
      redis.pause();

      HttpResponse<String> answer = other.send("GET", C, null);

      assertEquals(503, answer.statusCode());
      assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
      assertTrue(answer.body().startsWith("{\"error\":{\"code\":\"ServiceUnavailable\""));
    }
  }

  @Test
  void anErrorOfOurOwnKeepsItsTextInTheLog() {
    api.redis.ask("HSET carillon:collection:default/default/c definition secret");

    assertError(
        500,
        "InternalError",
        "The request failed because of an internal error of the scheduler.",
        api.send("GET", C, null));
  }

  @Test
  void allInstancesShareOnePort() {
    assertEquals(List.of(api.port(), api.port()), api.ports());
    assertNotEquals(0, api.port());
  }

  @Test
  void aStoppedServerRefuses() {
    api.stopListening();

    assertThrows(UncheckedIOException.class, () -> api.send("GET", "/health/live", null));
  }

  @Test
  void aSilentConnectionIsClosed() {
    try (ApiServer impatient = new ApiServer(api.redis, Duration.ofSeconds(1))) {
      assertEquals("", impatient.sendRaw("GET / HTTP/1.1\r\nHos"));
    }
  }
}
