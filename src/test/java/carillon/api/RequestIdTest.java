package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.LogCapture;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Test of the id of a request in its answer and in log messages. */
class RequestIdTest extends WithApi {
  private static final String ID = "X-Request-Id";
  private static final String ARM =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections";
  private static final String VERSION = "?api-version=2016-03-01";

  private Answer with(String id, String path) {
    return api.send("GET", path, null, ID, id);
  }

  @Test
  void everyAnswerHasAnIdOfItsOwn() {
    String[] paths = {
      "/", "/health", "/metrics", "/openapi.yaml", "/due", "/none", "/console/none", ARM + VERSION
    };
    for (String path : paths) {
      String id = api.get(path).header(ID);

      assertEquals(4, UUID.fromString(id).version(), path);
      assertEquals(2, UUID.fromString(id).variant(), path);
      assertNotEquals(id, api.get(path).header(ID), path);
    }
    UUID.fromString(api.send("OPTIONS", "/due", null).header(ID));
    UUID.fromString(api.send("HEAD", "/due", null).header(ID));
  }

  @Test
  void theIdOfTheClientIsTaken() {
    for (String id : new String[] {"a", "Root=1-67891233-abc", "x".repeat(128)}) {
      assertEquals(id, with(id, "/due").assertStatus(200).header(ID));
      assertEquals(id, with(id, ARM + VERSION).assertStatus(200).header(ID));
      assertEquals(
          id,
          with(id, "/none").assertStatus(404).json().getJsonObject("error").getString("requestId"));
    }
  }

  @Test
  void anIdThatIsTooLongOrNoWordIsReplaced() {
    for (String id : new String[] {"", "a b", "a\"b", "<b>", "a\\", "x".repeat(129), "a,b"}) {
      UUID.fromString(with(id, "/due").assertStatus(200).header(ID));
    }
  }

  @Test
  void anErrorTellsTheIdOfItsRequest() {
    Answer missing = api.get("/jobcollections/none/jobs/none").assertStatus(404);
    Answer invalid = api.put("/jobcollections/default/jobs/a", "{`a`:1,`b`:2}").assertStatus(400);
    Answer arm = api.get(ARM + "/none" + VERSION).assertStatus(404);

    for (Answer answer : new Answer[] {missing, invalid}) {
      assertEquals(answer.header(ID), answer.json().getJsonObject("error").getString("requestId"));
    }
    arm.assertLacks("requestId");
  }

  @Test
  void theIdOfAzureResourceManagerIsTheSameUnlessTheClientSentOne() {
    Answer own = api.get(ARM + VERSION);
    Answer sent = with("a-1", ARM + VERSION);

    assertEquals(own.header(ID), own.header("x-ms-request-id"));
    UUID.fromString(sent.header("x-ms-request-id"));
  }

  @Test
  void theLogTellsTheIdOfARequestThatFailed() {
    api.redis.ask("SET carillon:flows text");
    try (LogCapture logs = new LogCapture()) {
      with("find-me", "/flows").assertStatus(500);

      assertTrue(
          logs.complaints().stream().anyMatch(l -> l.contains("\"requestId\":\"find-me\"")),
          () -> String.join("\n", logs.lines()));
    }
  }
}
