package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.CallbackServer;
import carillon.support.CarillonProcess;
import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Test of Microsoft's clients for the first API of the retired service, npm azure-scheduler and
 * azure-asm-scheduler.
 */
class ClassicClientIT extends ProcessTestBase {

  @Test
  void everyOperationOfTheClientsWorks() {
    NodeClient client = NodeClient.require("classic");
    try (CallbackServer target = new CallbackServer();
        CarillonProcess node = start()) {
      List<JsonNode> answers =
          client.run(Duration.ofMinutes(3), node.base().toString(), target.url("/a/b"));

      Script script = new Script(answers.iterator());
      expectProvider(script);
      expectCloudServices(script);
      expectCollections(script);
      expectJobs(script, target);
      expectDeletions(script);
      assertFalse(script.answers.hasNext());
    }
  }

  /** Output of the client, in order. */
  private record Script(Iterator<JsonNode> answers) {
    /** Returns the result of the next operation, which must have this name and this status. */
    JsonNode next(String operation, int status) {
      JsonNode answer = answers.next();
      assertEquals(operation, answer.path("operation").asText(), answer::toString);
      assertEquals(status, answer.path("status").asInt(), answer::toString);
      return answer.path(status < 400 ? "result" : "error");
    }

    /**
     * Returns the result of the next operation. The client waited for it, and it must have
     * succeeded.
     */
    JsonNode awaited(String operation) {
      JsonNode result = next(operation, 200);
      assertEquals("Succeeded", result.path("status").asText(), result::toString);
      return result;
    }
  }

  private static void expectProvider(Script script) {
    script.next("provider.registerResourceProvider", 200);
    JsonNode properties = script.next("provider.getResourceProviderProperties", 200);
    assertTrue(
        properties.at("/properties/SupportedGeoRegions").asText().contains("West Europe"),
        properties::toString);
    script.next("provider.entitleResource", 202);
  }

  private static void expectCloudServices(Script script) {
    script.awaited("cloudServices.create");
    String id = script.next("cloudServices.beginCreating", 202).path("requestId").asText();
    JsonNode status = script.awaited("services.getOperationStatus");
    assertEquals(id, status.path("id").asText().replace("-", ""));
    assertEquals("200", status.path("httpStatusCode").asText());
    script.awaited("provider.getOperationStatus");
  }

  private static void expectCollections(Script script) {
    assertTrue(
        script.next("collections.checkNameAvailability", 200).path("isAvailable").asBoolean());
    String etag = script.awaited("collections.create").path("eTag").asText();
    assertFalse(
        script.next("collections.checkNameAvailability", 200).path("isAvailable").asBoolean(true));
    script.next("collections.beginCreating", 202);
    assertEquals(
        "ConflictError", script.next("collections.beginCreating", 409).path("code").asText());

    JsonNode read = script.next("collections.get", 200);
    assertEquals(etag, read.path("eTag").asText());
    assertEquals("n\u00e4me", read.path("label").asText());
    assertEquals("Started", read.path("state").asText());
    assertEquals("Standard", read.at("/intrinsicSettings/plan").asText());
    assertEquals(
        "{\"maxJobCount\":40,\"maxJobOccurrence\":100,"
            + "\"maxRecurrence\":{\"frequency\":\"Minute\",\"interval\":1}}",
        read.at("/intrinsicSettings/quota").toString());

    script.awaited("collections.update");
    script.next("collections.beginUpdating", 202);
    assertEquals(
        "ConflictError", script.next("collections.beginUpdating", 409).path("code").asText());
    assertEquals("c1", script.next("cloudServices.get", 200).at("/resources/0/name").asText());
    JsonNode listed = script.next("cloudServices.list", 200).path("cloudServices");
    assertEquals(2, listed.size());
    assertEquals("West Europe", listed.at("/0/geoRegion").asText());
    assertEquals(2, listed.at("/0/resources").size());
  }

  private static void expectJobs(Script script, CallbackServer target) {
    script.next("jobs.createOrUpdate", 201);
    script.next("jobs.createOrUpdate", 200);
    JsonNode job = script.next("jobs.get", 200).path("job");
    assertEquals("{\"content-Type\":\"text/plain\"}", job.at("/action/request/headers").toString());
    assertEquals("a/b", job.at("/action/request/body").asText());
    assertEquals("PT1M30S", job.at("/action/retryPolicy/retryInterval").asText());
    assertEquals("https", job.at("/action/errorAction/type").asText());
    assertEquals("[2,8]", job.at("/recurrence/schedule/months").toString());
    assertTrue(job.at("/status/nextExecutionTime").asText().contains("-0"), job::toString);

    String made = script.next("jobs.create", 201).at("/job/id").asText();
    JsonNode entry = script.next("jobs.getHistory", 200).at("/jobHistory/0");
    assertEquals(made, entry.path("id").asText());
    assertEquals("completed", entry.path("status").asText());
    assertEquals("MainAction", entry.path("actionName").asText());
    assertEquals(1, target.calls().size());
    assertEquals(0, script.next("jobs.getHistoryWithFilter", 200).path("jobHistory").size());

    assertEquals("disabled", script.next("jobs.updateState", 200).at("/job/state").asText());
    JsonNode disabled = script.next("jobs.listWithFilter", 200).path("jobs");
    assertEquals(1, disabled.size());
    assertEquals("daily", disabled.at("/0/id").asText());
    assertEquals(2, script.next("jobs.updateJobCollectionState", 200).path("jobs").size());
    List<String> states =
        script.next("jobs.list", 200).path("jobs").findValuesAsText("state").stream()
            .sorted()
            .toList();
    assertEquals(List.of("completed", "enabled"), states);
    assertEquals("BadRequest", script.next("jobs.createOrUpdate", 400).path("code").asText());
    script.next("jobs.deleteMethod", 200);
    assertEquals("NotFound", script.next("jobs.get", 404).path("code").asText());
  }

  private static void expectDeletions(Script script) {
    script.next("collections.beginDeleting", 202);
    script.awaited("collections.deleteMethod");
    assertEquals("ResourceNotFound", script.next("collections.get", 404).path("code").asText());
    script.next("cloudServices.beginDeleting", 202);
    script.awaited("cloudServices.delete");
    script.next("cloudServices.get", 404);
    script.next("provider.unregisterResourceProvider", 200);
  }
}
