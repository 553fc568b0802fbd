package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Test of every operation of Microsoft's client for the retired service (npm azure-arm-scheduler)
 * against a node that runs as a process.
 */
class ArmClientIT extends ProcessTestBase {
  private static final String C1 =
      "{\"id\":\"/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections/c1\","
          + "\"type\":\"Microsoft.Scheduler/jobCollections\",\"name\":\"c1\",\"location\":\"West US\",";

  @Test
  void everyOperationOfTheClientWorks() {
    NodeClient client = NodeClient.require("arm");
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start()) {
      List<JsonNode> lines =
          client.run(Duration.ofMinutes(3), node.base().toString(), target.url("/called"));
      assertNothingIsLeftOut(lines);
      Iterator<JsonNode> answers = lines.subList(1, lines.size()).iterator();

      checkCollections(answers);
      checkLists(answers);
      checkJobs(answers);
      checkRuns(answers);
      checkListsOfJobs(answers);
      checkEnds(answers);
    }
  }

  private static void assertNothingIsLeftOut(List<JsonNode> lines) {
    Set<String> offered = new TreeSet<>();
    lines.get(0).path("result").forEach(name -> offered.add(name.asText()));

    assertEquals(
        offered,
        lines.stream()
            .skip(1)
            .map(line -> line.path("operation").asText())
            .collect(Collectors.toCollection(TreeSet::new)));
    assertEquals(22, offered.size());
  }

  private static JsonNode next(Iterator<JsonNode> answers, String operation, int status) {
    JsonNode answer = answers.next();
    assertEquals(operation, answer.path("operation").asText(), answer::toString);
    assertEquals(status, answer.path("status").asInt(), answer::toString);
    return answer.path("result");
  }

  private static void assertError(
      Iterator<JsonNode> answers, String operation, int status, String code, String message) {
    JsonNode answer = answers.next();
    assertEquals(operation, answer.path("operation").asText(), answer::toString);
    assertEquals(status, answer.path("status").asInt(), answer::toString);
    assertEquals(code, answer.path("error").path("code").asText());
    assertEquals(message, answer.path("error").path("message").asText());
  }

  private static void checkCollections(Iterator<JsonNode> answers) {
    String created =
        C1
            + "\"tags\":{\"department\":\"marketing\"},\"properties\":{\"sku\":{\"name\":\"Standard\"},"
            + "\"state\":\"Enabled\",\"quota\":{\"maxJobCount\":50,\"maxRecurrence\":"
            + "{\"frequency\":\"minute\",\"interval\":1}}}}";
    for (int i = 0; i < 2; i++) {
      assertEquals(created, next(answers, "jobCollections.createOrUpdate", 201).toString());
    }
    assertEquals(created, next(answers, "jobCollections.get", 200).toString());
    JsonNode tags = next(answers, "jobCollections.patch", 200).path("tags");
    assertEquals("{\"department\":\"marketing\",\"floor\":\"7\"}", tags.toString());
    next(answers, "jobCollections.disable", 200);
    assertEquals("Disabled", state(next(answers, "jobCollections.get", 200)));
    next(answers, "jobCollections.enable", 200);
    next(answers, "jobCollections.beginDisable", 200);
    next(answers, "jobCollections.beginEnable", 200);
    assertEquals("Enabled", state(next(answers, "jobCollections.get", 200)));
  }

  private static String state(JsonNode resource) {
    return resource.path("properties").path("state").asText();
  }

  private static void checkLists(Iterator<JsonNode> answers) {
    assertEquals(100, next(answers, "jobCollections.listByResourceGroup", 200).size());
    assertEquals(2, next(answers, "jobCollections.listByResourceGroupNext", 200).size());
    assertEquals(100, next(answers, "jobCollections.listBySubscription", 200).size());
    assertEquals(2, next(answers, "jobCollections.listBySubscriptionNext", 200).size());
  }

  private static void checkJobs(Iterator<JsonNode> answers) {
    next(answers, "jobs.createOrUpdate", 201);
    next(answers, "jobs.createOrUpdate", 200);
    JsonNode job = next(answers, "jobs.get", 200);
    JsonNode patched = next(answers, "jobs.patch", 200);

    assertEquals("c1/weekly", job.path("name").asText());
    assertEquals("disabled", state(job));
    assertEquals("PT5M", job.at("/properties/action/retryPolicy/retryInterval").asText());
    assertEquals(
        "{\"ConTent-tYPe\":\"text/plain\"}",
        job.at("/properties/action/request/headers").toString());
    assertEquals(
        "http://127.0.0.1:9/failed", job.at("/properties/action/errorAction/request/uri").asText());
    assertEquals(
        "{\"weekDays\":[\"monday\",\"friday\"],\"hours\":[5,17],\"minutes\":[0,30]}",
        job.at("/properties/recurrence/schedule").toString());
    assertEquals(2, patched.at("/properties/recurrence/interval").asInt());
    assertEquals(10, patched.at("/properties/recurrence/count").asInt());
  }

  private static void checkRuns(Iterator<JsonNode> answers) {
    next(answers, "jobs.createOrUpdate", 201);
    next(answers, "jobs.run", 200);
    JsonNode job = next(answers, "jobs.get", 200);
    JsonNode history = next(answers, "jobs.listJobHistory", 200);
    JsonNode newest = next(answers, "jobs.listJobHistory", 200);
    JsonNode oldest = next(answers, "jobs.listJobHistoryNext", 200);

    assertEquals(2, job.at("/properties/status/executionCount").asInt());
    assertEquals(0, job.at("/properties/status/failureCount").asInt());
    assertEquals(2, history.size());
    assertEquals(1, newest.size());
    assertEquals(history.get(0), newest.get(0));
    assertEquals(history.get(1), oldest.get(0));
    assertEquals("MainAction", history.get(0).at("/properties/actionName").asText());
    assertTrue(
        history
            .get(0)
            .at("/properties/message")
            .asText()
            .startsWith("Http Action - Response from host '127.0.0.1"),
        history::toString);
  }

  private static void checkListsOfJobs(Iterator<JsonNode> answers) {
    JsonNode disabled = next(answers, "jobs.list", 200);
    JsonNode first = next(answers, "jobs.list", 200);
    JsonNode second = next(answers, "jobs.listNext", 200);

    assertEquals(1, disabled.size());
    assertEquals("c1/weekly", disabled.get(0).path("name").asText());
    assertEquals("c1/now", first.get(0).path("name").asText());
    assertEquals("c1/weekly", second.get(0).path("name").asText());
  }

  private static void checkEnds(Iterator<JsonNode> answers) {
    next(answers, "jobs.deleteMethod", 200);
    assertError(answers, "jobs.get", 404, "NotFound", "Job 'now' cannot be found.");
    assertError(
        answers,
        "jobs.createOrUpdate",
        400,
        "BadRequest",
        "Cannot set days of month with recurrence unit 'Week'.");
    next(answers, "jobCollections.deleteMethod", 200);
    assertError(
        answers,
        "jobCollections.get",
        404,
        "ResourceNotFound",
        "The Resource 'Microsoft.Scheduler/jobcollections/c1' under resource group 'g1' was not found.");
    next(answers, "jobCollections.beginDeleteMethod", 200);
    assertTrue(!answers.hasNext());
  }
}
