package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.Test;

/**
 * A client in Python that OpenAPI Generator makes of {@code openapi.yaml} compiles and type-checks,
 * and drives a node as it is run: {@code src/test/clients/python/drive.py}.
 */
class PythonClientIT extends ProcessTestBase {
  private static final Path DESCRIPTION =
      Path.of("src/main/resources/openapi.yaml").toAbsolutePath();

  @Test
  void aClientMadeOfTheDescriptionWorks() {
    NodeClient client = NodeClient.requirePython();
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start("CARILLON_EXECUTIONS_RECORDED", "all")) {
      Iterator<JsonNode> answers =
          client
              .run(
                  Duration.ofMinutes(5),
                  DESCRIPTION.toString(),
                  node.base().toString(),
                  target.url("/called"))
              .iterator();

      checkJobs(answers);
      checkRuns(answers);
      next(answers, "putFlow", 201);
      assertEquals("PT1S", next(answers, "getFlow", 200).at("/rate/per").asText());
      next(answers, "deleteJob", 200);
      assertEquals("NotFound", next(answers, "getJob", 404).path("code").asText());
      assertFalse(answers.hasNext());
      assertEquals("{\"order\":4711}", target.calls("/called").get(0).body());
    }
  }

  private static JsonNode next(Iterator<JsonNode> answers, String operation, int status) {
    JsonNode answer = answers.next();
    assertEquals(operation, answer.path("operation").asText(), answer::toString);
    assertEquals(status, answer.path("status").asInt(), answer::toString);
    return answer.path(status < 300 ? "result" : "error");
  }

  private static void checkJobs(Iterator<JsonNode> answers) {
    assertEquals("clock", next(answers, "putJob", 201).path("id").asText());
    JsonNode job = next(answers, "getJob", 200);
    assertEquals("0 9 * * MON-FRI", job.at("/recurrence/cron").asText());
    assertEquals("PT1S", job.at("/action/retryPolicy/retryInterval").asText());
    assertEquals("[\"2xx\",\"404\"]", job.at("/action/successOn").toString());
    assertEquals("[\"501\"]", job.at("/action/retryPolicy/giveUpOn").toString());
    assertEquals(job, next(answers, "listJobs", 200).at("/value/0"));
    assertEquals("skip", next(answers, "patchJob", 200).path("overlap").asText());
    assertEquals("PreconditionFailed", next(answers, "patchJob", 412).path("code").asText());
  }

  private static void checkRuns(Iterator<JsonNode> answers) {
    next(answers, "runJob", 200);
    JsonNode run = next(answers, "listHistory", 200).at("/value/0");
    assertEquals("completed", run.path("status").asText());
    JsonNode execution = next(answers, "listExecutions", 200).at("/value/0");
    assertEquals(run.path("executionId"), execution.path("executionId"));
    assertTrue(execution.path("destination").asText().startsWith("127.0.0.1:"));
  }
}
