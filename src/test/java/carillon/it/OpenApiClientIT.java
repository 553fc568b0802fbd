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
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Clients that are made of {@code openapi.yaml} type-check, and drive a node as it is run. */
class OpenApiClientIT extends ProcessTestBase {
  private static final Path DESCRIPTION =
      Path.of("src/main/resources/openapi.yaml").toAbsolutePath();

  /** Made by openapi-typescript and openapi-fetch: {@code src/test/clients/openapi/drive.ts}. */
  @Test
  void aClientInTypeScriptWorks() {
    drive(
        NodeClient.require("openapi"),
        List.of("drive"),
        answers -> {
          checkJobs(answers);
          JsonNode run = checkRun(answers);
          assertEquals(200, run.path("statusCode").asInt());
          assertEquals(run, next(answers, "getHistoryEntry", 200));
          checkExecution(answers, run);
          assertEquals("closed", checkFlow(answers).at("/state/breaker").asText());
          assertEquals("crm", next(answers, "listFlows", 200).at("/value/0/name").asText());
          checkCalendars(answers);
        });
  }

  /** Made by OpenAPI Generator: {@code src/test/clients/python/drive.py}. */
  @Test
  void aClientInPythonWorks() {
    drive(
        NodeClient.requirePython(),
        List.of(),
        answers -> {
          JsonNode job = checkJobs(answers);
          assertEquals("[\"2xx\",\"404\"]", job.at("/action/successOn").toString());
          assertEquals("[\"501\"]", job.at("/action/retryPolicy/giveUpOn").toString());
          checkExecution(answers, checkRun(answers));
          checkFlow(answers);
        });
  }

  private void drive(NodeClient client, List<String> words, Consumer<Iterator<JsonNode>> check) {
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start("CARILLON_EXECUTIONS_RECORDED", "all")) {
      Stream<String> places =
          Stream.of(DESCRIPTION.toString(), node.base().toString(), target.url("/called"));
      String[] all = Stream.concat(words.stream(), places).toArray(String[]::new);

      Iterator<JsonNode> answers = client.run(Duration.ofMinutes(5), all).iterator();

      check.accept(answers);
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

  private static JsonNode checkJobs(Iterator<JsonNode> answers) {
    assertEquals("clock", next(answers, "putJob", 201).path("id").asText());
    JsonNode job = next(answers, "getJob", 200);
    assertEquals("0 9 * * MON-FRI", job.at("/recurrence/cron").asText());
    assertEquals("PT1S", job.at("/action/retryPolicy/retryInterval").asText());
    assertEquals(job, next(answers, "listJobs", 200).at("/value/0"));
    assertEquals("skip", next(answers, "patchJob", 200).path("overlap").asText());
    assertEquals("PreconditionFailed", next(answers, "patchJob", 412).path("code").asText());
    return job;
  }

  private static JsonNode checkRun(Iterator<JsonNode> answers) {
    next(answers, "runJob", 200);
    JsonNode run = next(answers, "listHistory", 200).at("/value/0");
    assertEquals("completed", run.path("status").asText());
    return run;
  }

  private static void checkExecution(Iterator<JsonNode> answers, JsonNode run) {
    JsonNode execution = next(answers, "listExecutions", 200).at("/value/0");
    assertEquals(run.path("executionId"), execution.path("executionId"));
    assertTrue(execution.path("destination").asText().startsWith("127.0.0.1:"));
  }

  private static JsonNode checkFlow(Iterator<JsonNode> answers) {
    next(answers, "putFlow", 201);
    JsonNode flow = next(answers, "getFlow", 200);
    assertEquals("PT1S", flow.at("/rate/per").asText());
    return flow;
  }

  private static void checkCalendars(Iterator<JsonNode> answers) {
    next(answers, "putCalendar", 201);
    JsonNode calendar = next(answers, "getCalendar", 200);
    assertEquals("Christmas Day", calendar.at("/spans/0/name").asText());
    assertEquals("holidays", next(answers, "listCalendars", 200).at("/value/0/name").asText());
  }
}
