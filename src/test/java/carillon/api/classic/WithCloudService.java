package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.Answer;
import carillon.api.ApiClient;
import carillon.api.WithApi;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of tests with a server that has a cloud service with a collection, both created in the
 * classic dialect.
 */
abstract class WithCloudService extends WithApi {
  static final String NAMESPACES =
      " xmlns=\"http://schemas.microsoft.com/windowsazure\""
          + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"";

  static final String SERVICE =
      "<CloudService xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " xmlns=\"http://schemas.microsoft.com/windowsazure\"><Label>label</Label>"
          + "<Description>description</Description><GeoRegion>West Europe</GeoRegion>"
          + "</CloudService>";

  static final String RESOURCE =
      "<Resource xmlns=\"http://schemas.microsoft.com/windowsazure\"><IntrinsicSettings>"
          + "<plan>Standard</plan></IntrinsicSettings></Resource>";

  static final String JOB =
      "{\"action\":{\"type\":\"Http\",\"request\":{\"uri\":\"http://127.0.0.1:9/a\",\"method\":\"GET\"}},"
          + "\"recurrence\":{\"frequency\":\"Day\"}}";

  static final String CS = "/s1/cloudservices/cs1";

  static final String C = CS + "/resources/scheduler/jobcollections/c1";

  static final String TILDE = CS + "/resources/scheduler/~/JobCollections/c1";

  static final String JOBS = TILDE + "/jobs";

  static final String VERSION = "?api-version=2014-04-01";

  static final String ARM =
      "/subscriptions/s1/resourceGroups/cs1/providers/Microsoft.Scheduler/jobCollections";

  /** Client that sends a version with each request. */
  ApiClient classic;

  @BeforeEach
  void startWithACollection() {
    classic = api.with("x-ms-version", "2013-03-01");
    classic.put(CS, SERVICE);
    classic.put(C, RESOURCE);
  }

  static void assertError(int status, String code, String message, Answer answer) {
    assertEquals(
        "<Error%s><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(NAMESPACES, code, message),
        answer.body());
    answer.assertStatus(status);
    assertEquals("application/xml; charset=utf-8", answer.header("Content-Type"));
    assertTrue(answer.header("x-ms-request-id").matches("[0-9a-f]{32}"));
  }

  static String etagOf(Answer answer) {
    return answer.body().replaceAll(".*<ETag>(.*)</ETag>.*", "$1");
  }
}
