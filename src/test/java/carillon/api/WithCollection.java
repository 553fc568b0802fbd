package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.JobJson;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that has the collection {@code c}, with nothing in it. */
abstract class WithCollection extends WithApi {
  /** The action of the jobs, in the order in which it is answered. */
  static final String ANSWERED_ACTION =
      "\"action\":{\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"},\"type\":\"http\"}";

  static final String ONCE = job().json();
  static final String DAILY = job().every("day").json();
  static final String C = "/jobcollections/c";
  static final String J = C + "/jobs/j";

  /** Where the other dialect has its collections. */
  static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";

  static final String VERSION = "?api-version=2016-03-01";

  /** A job that nothing answers. */
  static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api.send("PUT", C, "{}");
  }

  /** The stored definition of the job {@code j}. */
  String stored() {
    return api.hash("carillon:{%d}:job:default/default/c/j", "default/default/c/j", "definition");
  }

  /** Asserts a refusal with this message that quotes no secret. */
  static void assertRefused(String message, HttpResponse<String> answer) {
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(message), answer.body());
    assertFalse(answer.body().contains("canary"), answer.body());
  }

  /** The ids of the jobs of a list. */
  static List<String> ids(HttpResponse<String> list) {
    return Pattern.compile("\\{\"id\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(id -> id.group(1))
        .toList();
  }

  /** The path of the next page of a list. */
  String nextLink(HttpResponse<String> list) {
    Matcher link =
        Pattern.compile("\"nextLink\":\"http://127\\.0\\.0\\.1:" + api.port() + "([^\"]*)\"")
            .matcher(list.body());
    assertTrue(link.find(), list.body());
    return link.group(1);
  }
}
