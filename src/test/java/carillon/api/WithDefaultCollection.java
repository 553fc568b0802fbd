package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeEach;

/** Base of tests with a server that has the empty collection {@code default}. */
abstract class WithDefaultCollection extends WithApi {
  static final String JOBS = "/jobcollections/default/jobs/";

  static final String DAILY = daily().json();

  static JobJson daily() {
    return job().recurrence("{`frequency`:`day`,`schedule`:{`hours`:[5]}}");
  }

  static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api.put("/jobcollections/default", "{}");
  }

  void put(String name, String job) {
    Answer answer = api.put(JOBS + name, job);
    assertEquals(2, answer.status() / 100, answer::body);
  }

  JsonObject get(String path) {
    Answer answer = api.get(path).assertStatus(200);
    return answer.json();
  }
}
