package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.ApiServer;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Entitlement, registration, regions, and the status of earlier requests. */
class ClassicProviderApiTest extends WithCloudService {
  @Test
  void entitlementAndRegistrationAreAccepted() {
    String entitle =
        "<EntitleResource xmlns=\"http://schemas.microsoft.com/windowsazure\">"
            + "<ResourceProviderNameSpace>scheduler</ResourceProviderNameSpace>"
            + "<Type>JobCollections</Type><RegistrationDate>2014-04-01T00:00:00.000Z"
            + "</RegistrationDate></EntitleResource>";
    String services = "/s1/services?service=scheduler.JobCollections&action=";

    assertEquals(202, send("POST", "/s1/EntitleResource", entitle).statusCode());
    assertEquals(200, send("PUT", services + "register", null).statusCode());
    assertEquals(200, send("PUT", services + "unregister", null).statusCode());
    assertError(
        400,
        "InvalidXmlRequest",
        "Type: 'queues' must be jobcollections",
        send("POST", "/s1/EntitleResource", entitle.replace("JobCollections", "queues")));
    assertError(
        400,
        "MissingOrInvalidRequiredQueryParameter",
        "action: 'buy' must be register or unregister",
        send("PUT", services + "buy", null));
  }

  @Test
  void theProviderNamesItsRegions() {
    String path = "/s1/resourceproviders/scheduler/Properties?resourceType=JobCollections";

    String answer = send("GET", path, null).body();

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
    HttpResponse<String> created = send("PUT", "/s1/cloudservices/cs3", SERVICE);
    HttpResponse<String> job = send("PUT", JOBS + "/j", JOB);
    HttpResponse<String> refused = send("PUT", C, RESOURCE.replace("Standard", "Free"));
    String id = header(created, "x-ms-request-id");

    String succeeded;
    try (ApiServer other = new ApiServer(RedisServer.shared())) {
      succeeded = other.send("GET", "/S1/operations/" + id, null, "x-ms-version", "1").body();
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
        send("GET", "/s1/operations/x", null));
  }

  private String operation(String subscription, HttpResponse<String> answer) {
    return send(
            "GET", "/" + subscription + "/operations/" + header(answer, "x-ms-request-id"), null)
        .body();
  }
}
