package carillon.api;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that has the collection {@code c}, with nothing in it. */
abstract class WithCollection {
  static final String ACTION =
      "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"}}";

  /** The same in the order in which it is answered. */
  static final String ANSWERED_ACTION =
      "\"action\":{\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"},\"type\":\"http\"}";

  static final String ONCE = "{" + ACTION + "}";
  static final String DAILY = "{" + ACTION + ",\"recurrence\":{\"frequency\":\"day\"}}";
  static final String C = "/jobcollections/c";
  static final String J = C + "/jobs/j";

  /** Where the other dialect has its collections. */
  static final String ARM =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections";

  static final String VERSION = "?api-version=2016-03-01";

  ApiServer api;

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
