package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.Answer;
import carillon.api.ApiServer;
import carillon.support.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of refusals in the classic dialect. */
class ClassicErrorsApiTest extends WithCloudService {
  @Test
  void aRequestMustNameAVersion() {
    assertError(
        400,
        "MissingOrIncorrectVersionHeader",
        "x-ms-version: this header is missing; send a version such as 2013-03-01.",
        api.get(CS));
    api.get(JOBS)
        .assertError(
            400,
            "MissingOrIncorrectVersionHeader",
            "x-ms-version: this header is missing; send a version such as 2013-03-01.");
    api.get(CS, "x-ms-version", "anything").assertStatus(200);
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
    Answer answer = classic.send(method, path, null);

    assertError(
        400,
        "InvalidHttpVerb",
        "The method '" + method + "' is not allowed here; use " + allowed + ".",
        answer);
    assertEquals(allowed.replace("GET", "GET, HEAD") + ", OPTIONS", answer.header("Allow"));
  }

  @Test
  void aWrongMethodOnJobsIsToldInJson() {
    classic
        .put(JOBS, JOB)
        .assertError(
            400,
            "InvalidHttpVerb",
            "The method 'PUT' is not allowed here; use GET, POST, PATCH, DELETE.");
    classic.post(JOBS + "/j", JOB).assertStatus(400);
    classic.put(JOBS + "/j/history", JOB).assertStatus(400);
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
    Answer answer = classic.get(path);

    answer.assertStatus(404).assertContains("<Code>ResourceNotFound</Code>");
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
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><Label>no base64!</Label></Resource> | Label: 'no base64!' must be base64 of a text in UTF-8",
        "PUT | /s1/cloudservices/cs1/resources/scheduler/jobcollections/n | <Resource><State>Updating</State></Resource> | State: 'Updating' must be one of started, stopped, suspended",
        "POST | /s1/EntitleResource | <EntitleResource/> | ResourceProviderNameSpace: is missing or empty"
      })
  void aDocumentThatBreaksARuleIsRefused(String method, String path, String body, String message) {
    assertError(
        400,
        "InvalidXmlRequest",
        message,
        classic.send(method, path, body, "Content-Type", "text/xml"));
  }

  @Test
  void aTextThatIsTooLongIsRefused() {
    String longLabel = SERVICE.replace("label", "l".repeat(101));
    String longDescription = SERVICE.replace("description", "d".repeat(1025));

    assertError(
        400,
        "InvalidXmlRequest",
        "Label: 101 characters are more than the 100 allowed",
        classic.put(CS, longLabel));
    assertError(
        400,
        "InvalidXmlRequest",
        "Description: 1025 characters are more than the 1024 allowed",
        classic.put(CS, longDescription));
  }

  @Test
  void everyContentTypeThatClientsSendIsAccepted() {
    for (String type :
        new String[] {
          "application/xml",
          "text/xml; charset=utf-8",
          "application/atom+xml;type=entry;charset=utf-8"
        }) {
      assertEquals(202, classic.put(CS, SERVICE, "Content-Type", type).status(), type);
    }
    classic.put(CS, SERVICE, "Content-Type", "application/json").assertStatus(415);
    classic.put(CS, SERVICE, "Content-Type", "application/xml; charset=utf-16").assertStatus(415);
    classic.put(JOBS + "/j", JOB, "Content-Type", "application/xml").assertStatus(415);
    api.put("/jobcollections/c", "<a/>", "Content-Type", "application/xml").assertStatus(415);
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
    Answer answer = classic.put(path, SERVICE);

    answer.assertStatus(400).assertStartsWith("<Error");
    classic.put(CS + "/resources/scheduler/jobcollections/a%20b", RESOURCE).assertStatus(400);
  }

  @Test
  void aPathThatCannotBeDecodedIsRefused() {
    classic.get("/s1/cloudservices/%ff").assertStatus(400);
  }

  @Test
  void withoutRedisTheServerIsBusy() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ApiServer alone = new ApiServer(redis)) {
      redis.stop();

      Answer answer = alone.get("/s1/cloudservices", "x-ms-version", "1");

      answer.assertStatus(503);
      assertEquals("1", answer.header("Retry-After"));
      answer.assertContains("<Code>ServerBusy</Code>");
    }
  }
}
