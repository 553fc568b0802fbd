package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.admin.HealthChecks;
import carillon.support.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is served beside the resources, and the server itself. */
class ServiceApiTest extends WithCollection {
  @Test
  void healthTellsWhetherTheNodeCanWork() {
    api.get("/health/live").assertIs(200, "{`status`:`live`}");
    api.get("/health")
        .assertIs(200, "{`status`:`ready`,`checks`:[{`name`:`redis`,`status`:`up`}]}");

    api.checks.set(
        List.of(
            HealthChecks.Check.warnUnless("clock", false, "It is slow."),
            HealthChecks.Check.downUnless("heartbeat", false, "There is none.")));

    api.get("/health/ready")
        .assertIs(
            503,
            "{`status`:`not ready`,`reasons`:[`There is none.`],`checks`:["
                + "{`name`:`redis`,`status`:`up`},"
                + "{`name`:`clock`,`status`:`warning`,`reason`:`It is slow.`},"
                + "{`name`:`heartbeat`,`status`:`down`,`reason`:`There is none.`}]}");
    api.get("/health/live").assertStatus(200);
  }

  @Test
  void theRootTellsWhatThisIs() {
    api.get("/").assertStartsWith("{`name`:`Carillon`,`version`:`test");
  }

  @Test
  void aStoreThatDoesNotAnswerMakesTheServiceUnavailable() {
    try (RedisServer redis = RedisServer.start();
        ApiServer other = new ApiServer(redis)) {
      redis.pause();

      Answer answer = other.get(C);

      answer.assertStatus(503);
      assertEquals("1", answer.header("Retry-After"));
      answer.assertStartsWith("{`error`:{`code`:`ServiceUnavailable`");
    }
  }

  @Test
  void anErrorOfOurOwnKeepsItsTextInTheLog() {
    api.redis.ask("HSET carillon:{access}:keys k secret");

    api.get("/keys/k")
        .assertError(
            500,
            "InternalError",
            "The request failed because of an internal error of the scheduler.");
  }

  @Test
  void allInstancesShareOnePort() {
    assertEquals(List.of(api.port(), api.port()), api.ports());
    assertNotEquals(0, api.port());
  }

  @Test
  void aStoppedServerRefuses() {
    api.stopListening();

    assertThrows(UncheckedIOException.class, () -> api.get("/health/live"));
  }

  @Test
  void aSilentConnectionIsClosed() {
    try (ApiServer impatient = new ApiServer(setup -> setup.idleTimeout = Duration.ofSeconds(1))) {
      assertEquals("", impatient.sendRaw("GET / HTTP/1.1\r\nHos"));
    }
  }
}
