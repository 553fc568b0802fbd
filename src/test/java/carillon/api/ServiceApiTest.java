package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.admin.HealthChecks;
import carillon.support.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of routes other than the resources, and of the server itself. */
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
  void aNodeThatCannotRunJobsRefusesChangesInEachDialect() {
    String reason = "This node could not claim jobs.";
    api.put(C + "/jobs/kept", ONCE).assertStatus(201);
    api.objectionToChanges.set(Optional.of(reason));

    for (String[] change :
        new String[][] {
          {"PUT", C + "/jobs/new"},
          {"PATCH", C + "/jobs/kept"},
          {"POST", C + "/jobs"},
          {"POST", C + "/jobs/kept/run"},
          {"PATCH", C + "/jobs"},
          {"PUT", C},
          {"POST", "/call"},
          {"PUT", "/flows/f"},
          {"PUT", "/calendars/c"},
          {"PUT", ARM + "/c/jobs/new" + VERSION}
        }) {
      Answer answer = api.send(change[0], change[1], ONCE);
      answer.assertStatus(503);
      assertEquals("1", answer.header("Retry-After"), change[1]);
      answer.assertContains(reason);
    }

    api.get(C + "/jobs/kept").assertStatus(200);
    api.post("/keys", "{`client`:`c`,`grants`:[`reader`]}").assertStatus(201);
    api.delete(C + "/jobs/kept").assertStatus(200);
    api.objectionToChanges.set(Optional.empty());
    api.put(C + "/jobs/new", ONCE).assertStatus(201);
  }

  @Test
  void theRootTellsWhatThisIs() {
    api.get("/").assertStartsWith("{`name`:`Carillon`,`version`:`test");
  }

  @Test
  void aStoreThatDoesNotAnswerMakesTheServiceUnavailable() {
    try (RedisServer redis = RedisServer.start();
        ApiServer other =
            new ApiServer(
                setup -> {
                  setup.redis = redis;
                  setup.commandTimeout = Duration.ofSeconds(5);
                })) {
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
  void aRequestThatDoesNotComeWholeIsAnsweredAndItsConnectionIsClosed() {
    try (ApiServer impatient = new ApiServer(setup -> setup.idleTimeout = Duration.ofSeconds(1))) {
      String answer = impatient.sendRaw("GET / HTTP/1.1\r\nHos");
      assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
      assertTrue(answer.contains("RequestTimeout"), answer);
      assertEquals("", impatient.sendRaw(""));
    }
  }
}
