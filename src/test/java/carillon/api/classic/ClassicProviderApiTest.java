package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import carillon.api.ApiServer;
import carillon.support.RedisServer;
import org.junit.jupiter.api.Test;

/** Test of entitlement, registration, regions, and the status of earlier requests. */
class ClassicProviderApiTest extends WithCloudService {
  @Test
  void entitlementAndRegistrationAreAccepted() {
    String entitle =
        "<EntitleResource xmlns=\"http://schemas.microsoft.com/windowsazure\">"
            + "<ResourceProviderNameSpace>scheduler</ResourceProviderNameSpace>"
            + "<Type>JobCollections</Type><RegistrationDate>2014-04-01T00:00:00.000Z"
            + "</RegistrationDate></EntitleResource>";
    String services = "/s1/services?service=scheduler.JobCollections&action=";

    classic.post("/s1/EntitleResource", entitle).assertStatus(202);
    classic.put(services + "register", null).assertStatus(200);
    classic.put(services + "unregister", null).assertStatus(200);
    assertError(
        400,
        "InvalidXmlRequest",
        "Type: 'queues' must be jobcollections",
        classic.post("/s1/EntitleResource", entitle.replace("JobCollections", "queues")));
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "action: 'buy' must be register or unregister",
        classic.put(services + "buy", null));
  }

  @Test
  void theProviderNamesItsRegions() {
    String path = "/s1/resourceproviders/scheduler/Properties?resourceType=JobCollections";

    String answer = classic.get(path).body();

    assertTrue(
        answer.startsWith(
            "<ResourceProviderProperties"
                + NAMESPACES
                + "><ResourceProviderProperty><Key>SupportedGeoRegions</Key><Value>"),
        answer);
    assertTrue(answer.contains(",West Europe,"), answer);
  }

  @Test
  void anyNodeAnswersTheStatusOfAnEarlierRequest() {
    Answer created = classic.put("/s1/cloudservices/cs3", SERVICE);
    Answer job = classic.put(JOBS + "/j", JOB);
    Answer refused = classic.put(C, RESOURCE.replace("Standard", "Free"));
    String id = created.header("x-ms-request-id");

    String succeeded;
    try (ApiServer other = new ApiServer(RedisServer.shared())) {
      succeeded = other.get("/S1/operations/" + id, "x-ms-version", "1").body();
    }

    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>"
            + id.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5")
            + "</ID><Status>Succeeded</Status><HttpStatusCode>200</HttpStatusCode></Operation>",
        succeeded);
    assertTrue(operation("s1", job).contains("<Status>Succeeded</Status>"));
    assertTrue(
        operation("s1", refused)
            .contains(
                "<Status>Failed</Status><HttpStatusCode>409</HttpStatusCode><Error>"
                    + "<Code>ConflictError</Code>"),
        operation("s1", refused));
    assertTrue(operation("s2", created).contains("<Code>ResourceNotFound</Code>"));
    assertError(
        404,
        "ResourceNotFound",
        "The operation 'x' was not found.",
        classic.get("/s1/operations/x"));
  }

  private String operation(String subscription, Answer answer) {
    String id = answer.header("x-ms-request-id");
    return classic.get("/" + subscription + "/operations/" + id).body();
  }
}
