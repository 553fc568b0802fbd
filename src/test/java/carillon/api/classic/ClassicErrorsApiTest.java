package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.ApiServer;
import carillon.support.RedisServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals of the classic dialect. */
class ClassicErrorsApiTest extends WithCloudService {
  @Test
  void aRequestMustNameAVersion() {
    assertError(
        400,
        "MissingOrIncorrectVersionHeader",
        "x-ms-version: this header is missing; send a version such as 2013-03-01.",
        api.send("GET", CS, null));
    assertJsonError(
        400,
        "MissingOrIncorrectVersionHeader",
        "x-ms-version: this header is missing; send a version such as 2013-03-01.",
        api.send("GET", JOBS, null));
    assertEquals(200, api.send("GET", CS, null, "x-ms-version", "anything").statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /s1/cloudservices            | GET",
        "PATCH  | /s1/cloudservices/cs1        | GET, PUT, DELETE",
        "POST   | /s1/cloudservices/cs1/resources/scheduler/jobcollections/c1 | GET, PUT, DELETE",
        "PUT    | /s1/cloudservices/cs1/resources/scheduler/jobcollections | GET, POST",
        "GET    | /s1/EntitleResource          | POST",
        "DELETE | /s1/operations/1             | GET",
        "POST   | /s1/services                 | PUT",
        "PUT    | /s1/resourceproviders/scheduler/properties | GET"
      })
  void aWrongMethodIsToldTheRightOnes(String method, String path, String allowed) {
    HttpResponse<String> answer = send(method, path, null);

    assertError(
        400,
        "InvalidHttpVerb",
        "The method '" + method + "' is not allowed here; use " + allowed + ".",
        answer);
    assertEquals(allowed, header(answer, "Allow"));
  }

  @Test
  void aWrongMethodOnJobsIsToldInJson() {
    assertJsonError(
        400,
        "InvalidHttpVerb",
        "The method 'PUT' is not allowed here; use GET, POST, PATCH, DELETE.",
        send("PUT", JOBS, JOB));
    assertEquals(400, send("POST", JOBS + "/j", JOB).statusCode());
    assertEquals(400, send("PUT", JOBS + "/j/history", JOB).statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "/s1/operations",
    "/s1/services/x",
    "/s1/resourceproviders/scheduler",
    "/s1/resourceproviders/cache/properties?resourceType=jobcollections",
    "/s1/cloudservices/cs1/resources",
    "/s1/cloudservices/cs1/resources/cache/jobcollections/c1",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/jobs/j/run",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/enable",
    "/s1/cloudservices/cs1/resources/scheduler/~/jobcollections/c1/jobs/j/history/1"
  })
  void aMissingResourceIsNotFound(String path) {
    HttpResponse<String> answer = send("GET", path, null);

    assertEquals(404, answer.statusCode());
    assertTrue(answer.body().contains("<Code>ResourceNotFound</Code>"), answer.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT | /s1/cloudservices/x | <CloudService><Label>l</Label><Description>d</Description></CloudService> | GeoRegion: is missing or empty",
        "PUT | /s1/cloudservices/x | <CloudService><Label>l</Label><Label>l</Label></CloudService> | Label: is given twice",
        "PUT | /s1/cloudservices/x | <Resource/> | Malformed XML: the root element is 'Resource'; it must be CloudService",
        "PUT | /s1/cloudservices/x | {} | Malformed XML: it is not well-formed at line 1, column 1",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Plan>Gold</Plan></IntrinsicSettings></Resource> | sku: 'Gold' must be one of Free, Standard, P10Premium, P20Premium, Premium",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Quota><MaxJobCount>many</MaxJobCount></Quota></IntrinsicSettings></Resource> | quota.maxJobCount: 'many' must be a whole number from 1 to 2147483647",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><IntrinsicSettings><Quota><MaxRecurrence/></Quota></IntrinsicSettings></Resource> | quota.maxRecurrence.frequency: is missing",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><Label>no base64!</Label></Resource> | Label: must be base64 of a text in UTF-8",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><State>Updating</State></Resource> | State: 'Updating' must be one of started, stopped, suspended",
        "POST | /s1/EntitleResource | <EntitleResource/> | ResourceProviderNameSpace: is missing or empty"
      })
  void aDocumentThatBreaksARuleIsRefused(String method, String path, String body, String message) {
    assertError(
        400, "InvalidXmlRequest", message, send(method, path, body, "Content-Type", "text/xml"));
  }

  @Test
  void aTextThatIsTooLongIsRefused() {
    String longLabel = SERVICE.replace("label", "l".repeat(101));
    String longDescription = SERVICE.replace("description", "d".repeat(1025));

    assertError(
        400,
        "InvalidXmlRequest",
        "Label: 101 characters are more than the 100 allowed",
        send("PUT", CS, longLabel));
    assertError(
        400,
        "InvalidXmlRequest",
        "Description: 1025 characters are more than the 1024 allowed",
        send("PUT", CS, longDescription));
  }

  @Test
  void everyContentTypeThatClientsSendIsAccepted() {
    for (String type :
        new String[] {
          "application/xml",
          "text/xml; charset=utf-8",
          "application/atom+xml;type=entry;charset=utf-8"
        }) {
      assertEquals(202, send("PUT", CS, SERVICE, "Content-Type", type).statusCode(), type);
    }
    assertEquals(415, send("PUT", CS, SERVICE, "Content-Type", "application/json").statusCode());
    assertEquals(
        415,
        send("PUT", CS, SERVICE, "Content-Type", "application/xml; charset=utf-16").statusCode());
    assertEquals(
        415, send("PUT", JOBS + "/j", JOB, "Content-Type", "application/xml").statusCode());
    assertEquals(
        415,
        api.send("PUT", "/jobcollections/c", "<a/>", "Content-Type", "application/xml")
            .statusCode());
  }

  @ParameterizedTest
  @CsvSource({
    "/s1/cloudservices/a%20b",
    "/s1/cloudservices/%2e%2e",
    "/s1/cloudservices/a%7Db",
    "/s%00/cloudservices/a",
    "/s1/cloudservices/a%0d%0ab"
  })
  void aBadNameIsRefused(String path) {
    HttpResponse<String> answer = send("PUT", path, SERVICE);

    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().startsWith("<Error"), answer.body());
    assertEquals(
        400, send("PUT", CS + "/resources/scheduler/jobcollections/a%20b", RESOURCE).statusCode());
  }

  @Test
  void aPathThatCannotBeDecodedIsRefused() {
    assertEquals(400, send("GET", "/s1/cloudservices/%ff", null).statusCode());
  }

  @Test
  void withoutRedisTheServerIsBusy() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ApiServer alone = new ApiServer(redis)) {
      redis.stop();

      HttpResponse<String> answer =
          alone.send("GET", "/s1/cloudservices", null, "x-ms-version", "1");

      assertEquals(503, answer.statusCode());
      assertEquals("1", header(answer, "Retry-After"));
      assertTrue(answer.body().contains("<Code>ServerBusy</Code>"), answer.body());
    }
  }
}
