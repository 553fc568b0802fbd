package carillon.api;

import carillon.support.JobJson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that has the collection {@code c}, with nothing in it. */
abstract class WithCollection {
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

  ApiServer api;

  /** A job that nothing answers. */
  static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api = new ApiServer();
    api.send("PUT", C, "{}");
  }

  @AfterEach
  void stop() {
    api.close();
  }
}
