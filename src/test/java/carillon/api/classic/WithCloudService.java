package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.WithApi;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests of a server that has a cloud service with a collection, both made in the classic dialect.
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

  @BeforeEach
  void startWithACollection() {
    send("PUT", CS, SERVICE);
    send("PUT", C, RESOURCE);
  }

  /** As every client does, with a version. */
  HttpResponse<String> send(String method, String path, String body, String... headers) {
    String[] all =
        Stream.concat(Stream.of("x-ms-version", "2013-03-01"), Arrays.stream(headers))
            .toArray(String[]::new);
    return api.send(method, path, body, all);
  }

  static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  static void assertError(int status, String code, String message, HttpResponse<String> answer) {
    assertEquals(
        "<Error"
            + NAMESPACES
            + "><Code>"
            + code
            + "</Code><Message>"
            + message
            + "</Message></Error>",
        answer.body());
    assertEquals(status, answer.statusCode());
    assertEquals("application/xml; charset=utf-8", header(answer, "Content-Type"));
    assertTrue(header(answer, "x-ms-request-id").matches("[0-9a-f]{32}"));
  }

  static void assertJsonError(
      int status, String code, String message, HttpResponse<String> answer) {
    assertEquals(
        "{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}", answer.body());
    assertEquals(status, answer.statusCode());
  }

  static String etagOf(HttpResponse<String> answer) {
    return answer.body().replaceAll(".*<ETag>(.*)</ETag>.*", "$1");
  }
}
