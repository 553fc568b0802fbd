package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a server that has the collection {@code default}, with nothing in it. */
abstract class WithDefaultCollection extends WithApi {
  static final String JOBS = "/jobcollections/default/jobs/";

  static final String DAILY = daily().json();

  static JobJson daily() {
    return job().recurrence("{\"frequency\":\"day\",\"schedule\":{\"hours\":[5]}}");
  }

  static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  @BeforeEach
  void startWithACollection() {
    api.send("PUT", "/jobcollections/default", "{}");
  }

  void put(String name, String job) {
    HttpResponse<String> answer = api.send("PUT", JOBS + name, job);
    assertEquals(2, answer.statusCode() / 100, answer::body);
  }

  JsonObject get(String path) {
    HttpResponse<String> answer = api.send("GET", path, null);
    assertEquals(200, answer.statusCode(), answer::body);
    return new JsonObject(answer.body());
  }
}
