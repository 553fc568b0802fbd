package carillon.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobName;
import carillon.support.JobJson;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;

/** Base of tests with a server that has the empty collection {@code c}. */
abstract class WithCollection extends WithApi {
  /** Action of the jobs, in the order of its answered properties. */
  static final String ANSWERED_ACTION =
      "\"action\":{\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"},\"type\":\"http\"}";

  static final String ONCE = job().json();
  static final String DAILY = job().every("day").json();
  static final String C = "/jobcollections/c";
  static final String J = C + "/jobs/j";

  /** Path of the collections in the ARM dialect. */
  static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";

  static final String VERSION = "?api-version=2016-03-01";

  /** Returns a job whose target does not exist. */
  static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api.put(C, "{}");
  }

  /** Returns the stored definition of the job {@code j}. */
  String stored() {
    return api.hash("carillon:{%d}:job:default/default/c/j", "default/default/c/j", "definition");
  }

  /** Returns the key of {@code kind}, such as {@code job} or {@code history}, for a job. */
  static String key(String kind, String job) {
    String name = "default/default/c/" + job;
    return "carillon:{" + JobName.partition(name, 4) + "}:" + kind + ":" + name;
  }

  /** Asserts a refusal with this message that quotes no secret. */
  static void assertRefused(String message, Answer answer) {
    answer.assertStatus(400).assertContains(message);
    answer.assertLacks("canary");
  }

  /** Returns the ids of the jobs of a list. */
  static List<String> ids(Answer list) {
    return Pattern.compile("\\{\"id\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(id -> id.group(1))
        .toList();
  }

  /** Returns the path of the next page of a list. */
  String nextLink(Answer list) {
    Matcher link =
        Pattern.compile("\"nextLink\":\"http://127\\.0\\.0\\.1:" + api.port() + "([^\"]*)\"")
            .matcher(list.body());
    assertTrue(link.find(), list.body());
    return link.group(1);
  }
}
